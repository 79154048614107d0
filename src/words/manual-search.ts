// Search in the API manual: ranks its entries by words, in the service and in the manual's script.

export interface ManualEntry {
  kind: 'operation' | 'schema' | 'error' | 'parameter' | 'field'
  name: string
  /** The method and path of an operation, the description or message of others. */
  detail: string
  /** The operations or the schema that it belongs to. */
  where: string
  /** Its address under that of the manual. */
  href: string
}

export interface ManualFindings {
  /** Of all that match, also those that are not shown. */
  count: number
  entries: ManualEntry[]
}

/** A longer search is cut off. */
export const MAX_MANUAL_QUERY = 100
const MAX_SHOWN = 40

const RANKS: ManualEntry['kind'][] = ['operation', 'schema', 'error', 'parameter', 'field']

/** Every word of the search must be found in the entry. Matches of its name come first. */
export function searchManual(all: readonly ManualEntry[], sought: string): ManualFindings {
  const words = fold(sought.slice(0, MAX_MANUAL_QUERY)).split(/\s+/).filter(Boolean)
  const phrase = words.join(' ')
  if (words.length === 0) return { count: 0, entries: [] }
  const found = all
    .map((entry) => ({ entry, score: scoreOf(entry, words, phrase) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || RANKS.indexOf(a.entry.kind) - RANKS.indexOf(b.entry.kind))
  return { count: found.length, entries: found.slice(0, MAX_SHOWN).map(({ entry }) => entry) }
}

/** 0 if a word is missing. */
function scoreOf({ name, detail, where }: ManualEntry, words: readonly string[], phrase: string): number {
  const title = fold(name)
  const rest = fold(`${detail} ${where}`)
  const scores = words.map((word) => {
    if (title === word) return 8
    if (title.startsWith(word)) return 4
    if (title.includes(word)) return 2
    return rest.includes(word) ? 1 : 0
  })
  if (scores.includes(0)) return 0
  const whole = title === phrase ? 100 : title.startsWith(phrase) ? 50 : 0
  return scores.reduce<number>((sum, score) => sum + score, whole)
}

/** Without regard to case and to the backticks of descriptions. */
const fold = (text: string): string => text.replaceAll('`', '').toLowerCase()
