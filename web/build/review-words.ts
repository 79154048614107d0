// Records that the translations of a language were reviewed: `npm run words -- german [key …]`.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprintOf, readTexts, SOURCE, TRANSLATIONS } from './word-texts.ts'

export const recordOf = (language: string): string =>
  join(import.meta.dirname, '..', '..', 'test', 'words', 'reviewed', `${language}.json`)

/** Fingerprints of the English texts by key, at the time the translation was last reviewed. */
export type ReviewRecord = Record<string, string>

export const readRecord = (language: string): ReviewRecord => JSON.parse(readFileSync(recordOf(language), 'utf8'))

/** Texts that are English in English, and those that a language leaves as they are, need no review. */
export async function listReviewed(language: string): Promise<ReviewRecord> {
  const [english, translated] = await Promise.all([readTexts(SOURCE), readTexts(language)])
  const isVariant = language === 'american'
  const keys = [...english.keys()].filter(
    (key) => !isVariant || (translated.has(key) && translated.get(key) !== english.get(key)),
  )
  return Object.fromEntries(keys.sort().map((key) => [key, fingerprintOf(english.get(key))]))
}

if (import.meta.main) {
  const [language = '', ...prefixes] = process.argv.slice(2)
  if (!TRANSLATIONS.includes(language)) {
    process.stderr.write(`words: name a language, one of ${TRANSLATIONS.join(', ')}\n`)
    process.exit(2)
  }
  const now = await listReviewed(language)
  let before: ReviewRecord = {}
  try {
    before = readRecord(language)
  } catch {
    // The first review of a language.
  }
  const stale = Object.keys(now).filter((key) => now[key] !== before[key])
  const reviewed = stale.filter((key) => prefixes.length === 0 || prefixes.some((prefix) => key.startsWith(prefix)))
  const entries = Object.keys(now)
    .filter((key) => reviewed.includes(key) || before[key] !== undefined)
    .map((key) => [key, reviewed.includes(key) ? now[key] : before[key]])
  writeFileSync(recordOf(language), `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`)
  for (const key of reviewed) process.stdout.write(`reviewed: ${key}\n`)
}
