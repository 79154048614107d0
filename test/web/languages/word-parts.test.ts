// Words of a page: each is loaded before the modules of the page run, and none on the first load without need.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Sections by part, from the English sources. */
const SECTIONS = Object.fromEntries(
  ['first', 'account', 'setup', 'editor', 'past', 'people', 'server'].map((part) => {
    const source = text(`web/words/english/${part}.ts`)
    const own = [...source.matchAll(/^export const (\w+)/gm)].map(([, name]) => name!)
    return [part, part === 'first' ? [...own, 'rule', 'times'] : own]
  }),
)

/** Modules that load a part by themselves, with `useWords`, before they show what uses it; and what that is. */
const LOADS_ITSELF: Record<string, string[]> = {
  'web/pages/calendar/event-dialog.tsx': ['editor'],
}

/** The module and all that it imports before it runs. */
function reach(path: string, seen = new Map<string, string[]>(), loaded: string[] = []): Map<string, string[]> {
  const here = [...loaded, ...(LOADS_ITSELF[path] ?? [])]
  const before = seen.get(path)
  // A module that another page part also reaches without these words must not use them.
  if (before?.every((section) => here.includes(section))) return seen
  seen.set(path, before ? before.filter((section) => here.includes(section)) : here)
  for (const [, from] of text(path).matchAll(/^(?:import|export)\s(?!type\s)[^'"]*?from\s+'(\.[^']+\.tsx?)'/gm)) {
    const target = normalize(join(dirname(path), from!)).replaceAll('\\', '/')
    if (target.startsWith('web/') && target !== 'web/strings.ts' && existsSync(join(ROOT, target)))
      reach(target, seen, seen.get(path))
  }
  return seen
}

function listMissing(page: string, parts: readonly string[]): string[] {
  const sections = parts.flatMap((part) => SECTIONS[part]!)
  return [...reach(page)].flatMap(([path, own]) =>
    [...text(path).matchAll(/\bwords\.(\w+)\b/g)]
      .map(([, section]) => section!)
      .filter((section) => section !== 'ts' && ![...sections, ...own].includes(section))
      .map((section) => `${page}: ${path} uses ${section}`),
  )
}

const PAGES = [
  ...text('web/app/pages.ts').matchAll(
    /'(\/[^']*)': (?:withWords\(\s*\[([^\]]*)\],\s*)?\(\) =>\s*import\('\.\.\/([^']+)'\)/g,
  ),
].map(([, path, parts = '', file]) => ({
  path: path!,
  parts: ['first', ...[...parts.matchAll(/'(\w+)'/g)].map(([, part]) => part!)],
  file: `web/${file}`,
}))

test('the frame around every page uses only the words of the first load', () => {
  assert.deepEqual(listMissing('web/app/main.tsx', ['first']), [])
})

test('each page loads the words that it and its modules use', () => {
  assert.equal(PAGES.length, 26)
  assert.deepEqual([...new Set(PAGES.flatMap(({ file, parts }) => listMissing(file, parts)))], [])
})

test('the calendar page loads no words but those of the first load', () => {
  assert.deepEqual(PAGES.find(({ path }) => path === '/')!.parts, ['first'])
})

test('a page loads no part that nothing in it uses', () => {
  for (const { path, parts, file } of PAGES) {
    const used = [...reach(file).keys()].flatMap((module) =>
      [...text(module).matchAll(/\bwords\.(\w+)\b/g)].map(([, name]) => name!),
    )
    for (const part of parts)
      assert.ok(part === 'first' || SECTIONS[part]!.some((name) => used.includes(name)), `${path}: ${part}`)
  }
})
