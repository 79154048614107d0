// F29: no regular expression of ours takes long on hostile input.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startWork } from './support/measure/effort.ts'

const ROOT = join(import.meta.dirname, '..')
/** The commands read input of their own user; everything else may get input of a stranger. */
const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((path) => !/^src[\\/]cli[\\/]/.test(path))

const LITERAL = /(?<=[=(,:!?&|]\s*|return\s|=>\s)\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+)\/([dgimsuvy]*)/g

const LENGTH = 50_000
const ATTACKS = [
  'a',
  '0',
  ' ',
  '\\',
  ',',
  '-',
  '=',
  ':',
  ';',
  '"',
  '/',
  '%',
  '.',
  '+',
  'T',
  '\n',
  'é',
  '\\,',
  'a,',
  '0:',
  ' ;',
  '="',
  '-0',
  '\ud83d\ude00',
].flatMap((sign) => {
  const run = sign.repeat(LENGTH / sign.length)
  return [run, `${run}!`, `"${run}`, `2026-07-14T${run}`, `application/json${run};x`, `basic ${run}!`]
})

test('F29: every regular expression ends quickly on fifty thousand hostile characters', () => {
  const found = files.flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(LITERAL)].map(([, source, flags]) => ({
      path,
      source: source!,
      flags: flags!,
    })),
  )
  assert.ok(found.length > 30, `only ${found.length} found: the search itself is broken`)
  for (const { path, source, flags } of found) {
    const pattern = new RegExp(source, flags)
    for (const attack of ATTACKS) {
      const workedMs = startWork()
      attack.replace(pattern, '')
      // Linear ones take a millisecond; one that backtracks would take minutes.
      const took = workedMs()
      assert.ok(
        took < 500,
        `${path}: /${source}/ took ${Math.round(took)} ms on ${JSON.stringify(attack.slice(0, 30))}…`,
      )
    }
  }
})

test('F29: no input becomes a regular expression', () => {
  for (const path of files) assert.doesNotMatch(readFileSync(join(ROOT, path), 'utf8'), /new RegExp\(|RegExp\(/, path)
})

test('F29: text is normalised in pieces everywhere, since marks on one letter are sorted by insertion', () => {
  for (const path of files)
    if (!path.endsWith('unicode.ts')) assert.doesNotMatch(readFileSync(join(ROOT, path), 'utf8'), /\.normalize\(/, path)
})
