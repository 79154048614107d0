// The import graph: static imports and import('…') with a literal path, followed transitively.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** Files loaded without an import: those of a service process, and the pages that the browser opens. */
const OTHER_WAYS: Readonly<Record<string, readonly string[]>> = {
  'test/support/processes/process.ts': ['src/main.ts'],
  'test/support/processes/loaded-command.ts': ['test/support/processes/command-host.ts', 'src/main.ts'],
  'test/support/browser/browser.ts': ['web/app/main.tsx', 'web/embed/embed.ts', 'web/embed/frame.ts'],
}

export type ImportsOf = (path: string) => readonly string[]

export function readImports(root: string): ImportsOf {
  const known = new Map<string, readonly string[]>()
  return (path) => {
    const own = known.get(path) ?? findImports(root, path)
    known.set(path, own)
    return own
  }
}

function findImports(root: string, path: string): string[] {
  const full = join(root, path)
  if (!/\.(?:ts|tsx|mjs)$/.test(path) || !existsSync(full)) return []
  const specifiers = readFileSync(full, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)
  const imported = [...specifiers].map(([, target]) => posix.normalize(posix.join(dirname(path), target!)))
  return [...imported, ...(OTHER_WAYS[path] ?? [])]
}

/** The file itself, and everything it loads. */
export function listReached(path: string, importsOf: ImportsOf): Set<string> {
  const reached = new Set<string>()
  const open = [path]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    open.push(...importsOf(next))
  }
  return reached
}
