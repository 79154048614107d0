// Typography of translations: spaces, quotation marks and punctuation as each language has them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTexts } from '../../web/build/word-texts.ts'

const SAMPLES = [
  [0, 0, 0],
  [1, 1, 1],
  [5, 7, 9],
]

/** What a text says; a function says something for each sample. */
function* said(text: unknown): Iterable<string> {
  if (typeof text === 'string') yield text
  else if (typeof text === 'object' && text !== null) for (const part of Object.values(text)) yield* said(part)
  else if (typeof text === 'function')
    for (const sample of SAMPLES)
      try {
        yield* said(text(...sample))
      } catch {
        // The sample is of another type.
      }
}

async function listProblems(language: string, problem: RegExp): Promise<string[]> {
  const problems: string[] = []
  for (const [key, text] of await readTexts(language))
    for (const words of said(text)) if (problem.test(withoutCode(words))) problems.push(`${key}: ${words}`)
  return problems
}

/** Addresses, rules and configuration keep their own punctuation. */
const withoutCode = (words: string): string =>
  words.replaceAll(/https?:\/\/\S*|FREQ=\S*|`[^`]*`|\[storage [\s\S]*|\.ics\b/g, '')

test('French has spaces that do not break before double punctuation and inside quotation marks', async () => {
  assert.deepEqual(await listProblems('french', /[^\u202f\u00a0][;!?]|[^\u00a0][:»](?!\d)|«[^\u00a0]/), [])
})

test('French and Spanish have no straight apostrophe or quotation mark, and no three full stops', async () => {
  for (const language of ['french', 'spanish']) assert.deepEqual(await listProblems(language, /['"“”]|\.\.\./), [])
})

test('Spanish opens each question and exclamation, and has no space before punctuation', async () => {
  assert.deepEqual(await listProblems('spanish', /^[^¿]*\?|^[^¡]*!|[ \u00a0][:;!?»]/), [])
})
