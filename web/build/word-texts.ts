// Lists the texts of a language by key, with a fingerprint that changes with the English text.
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** Folders of words by language, as in `web/words/german` and `src/words/german.ts`. */
export const SOURCE = 'english'
export const TRANSLATIONS = readdirSync(join(ROOT, 'web', 'words'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== SOURCE)
  .map(({ name }) => name)
  .sort()

/** Texts and functions by key, such as `web/first frame.skip`. */
export type TextsByKey = ReadonlyMap<string, unknown>

export async function readTexts(language: string): Promise<TextsByKey> {
  const texts = new Map<string, unknown>()
  const parts = readdirSync(join(ROOT, 'web', 'words', SOURCE)).map((file) => file.replace('.ts', ''))
  const modules = [
    ...parts.map((part) => [`web/${part}`, `web/words/${language}/${part}.ts`]),
    ['pages', `src/words/${language}.ts`],
    ['mails', `src/mail/words/${language}.ts`],
  ] as const
  for (const [name, path] of modules) {
    const loaded = await import(join(ROOT, path!)).catch((error: NodeJS.ErrnoException) => {
      // A language that differs from English in a few texts has only the files with those.
      if (error.code === 'ERR_MODULE_NOT_FOUND') return {}
      throw error
    })
    // Of the shared words, each part re-exports what it needs.
    const { rule, times, ...own } = loaded as Record<string, unknown>
    addTexts(texts, `${name} `, name === 'pages' ? loaded : own)
  }
  return texts
}

function addTexts(texts: Map<string, unknown>, key: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) texts.set(key, value)
  else
    for (const [name, part] of Object.entries(value))
      addTexts(texts, key.endsWith(' ') ? `${key}${name}` : `${key}.${name}`, part)
}

/** What a function says for these, besides its source, since it may use helpers. */
const SAMPLES: readonly unknown[][] = [
  [1, 1, 1],
  [2, 5, 5],
  [7, 1_059, 2],
  [100_000, 100_000, 100_000],
]

export function fingerprintOf(text: unknown): string {
  const content =
    typeof text === 'function' ? `${text.toString().replace(/\s+/g, ' ')} ${JSON.stringify(said(text))}` : text
  return createHash('sha256').update(String(content)).digest('base64url').slice(0, 8)
}

const said = (text: CallableFunction): unknown[] =>
  SAMPLES.map((sample) => {
    try {
      return text(...sample)
    } catch {
      // The sample is of another type.
      return null
    }
  })
