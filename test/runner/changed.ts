// `npm test -- --changed`: selects the test files that a change affects, by the import graph and a few rules.
import { execFileSync } from 'node:child_process'
import { type ImportsOf, listReached } from './import-graph.ts'

export interface Selection {
  tests: string[]
  /** Changed files that no test loads and no rule covers. */
  untested: string[]
  /** A changed file that everything depends on. */
  everythingBecause?: string
}

/** Packages, the launcher and the runner itself: everything depends on them. */
const EVERYTHING =
  /^(?:package(?:-lock)?\.json|tsconfig\.json|bin\/.*|test\/run\.ts|test\/runner\/(?!.*\.test\.ts$).*)$/

/** Tests that read files instead of importing them. */
const READERS: readonly (readonly [changed: RegExp, tests: RegExp])[] = [
  [/\.md$|^src\//, /^test\/docs\.test\.ts$/],
  [/^(?:src|web|test)\/.*\.tsx?$/, /^test\/(?:architecture|regex)\.test\.ts$/],
  [/^web\/(?!dist\/)/, /^test\/web\/|^test\/api\/(?:web-app|docs\/manual)\.test\.ts$/],
  [/^packaging\/|^(?:Containerfile|compose[\w.]*\.yaml|\.(?:container|docker)ignore)$/, /^test\/release\//],
]

export function selectTests(tests: readonly string[], changed: readonly string[], importsOf: ImportsOf): Selection {
  const everythingBecause = changed.find((path) => EVERYTHING.test(path))
  if (everythingBecause) return { tests: [...tests], untested: [], everythingBecause }
  const covered = new Set<string>()
  const isTouched = (test: string): boolean => {
    const reached = listReached(test, importsOf)
    const causes = changed.filter(
      (path) => reached.has(path) || READERS.some(([cause, readers]) => cause.test(path) && readers.test(test)),
    )
    for (const path of causes) covered.add(path)
    return causes.length > 0
  }
  const selected = tests.filter(isTouched)
  return { tests: selected, untested: changed.filter((path) => !covered.has(path)) }
}

/** Committed since the base, uncommitted and new files. */
export function listChanged(root: string, base: string = findBase(root)): string[] {
  const git = gitIn(root)
  const lines = `${git('diff', '--name-only', base)}\n${git('ls-files', '--others', '--exclude-standard')}`
  return [...new Set(lines.split('\n').filter(Boolean))].sort()
}

/** Where this branch left main; on main itself the commit before the last. */
export function findBase(root: string): string {
  const git = gitIn(root)
  const head = git('rev-parse', 'HEAD').trim()
  try {
    const base = git('merge-base', 'HEAD', 'main').trim()
    if (base !== head) return base
  } catch {
    // A clone may have no branch of that name.
  }
  return 'HEAD~1'
}

const gitIn =
  (root: string) =>
  (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
