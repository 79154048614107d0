// Hides internal categories from what the public sees of an event: columns, words and feed text.
import type { Details, Series } from '../calendar/event.ts'
import { foldCategory } from '../categories/category.ts'

/** The last list that was parsed: it changes only when an administrator changes a category. */
let last: { text: string; folded: ReadonlySet<string> } = { text: '[]', folded: new Set() }

function parse(text: string): ReadonlySet<string> {
  // Folded again: an earlier version folded less.
  if (last.text !== text) last = { text, folded: new Set((JSON.parse(text) as string[]).map(foldCategory)) }
  return last.folded
}

/** `internal` is a JSON list of folded names. */
export function hidesCategory({ category }: Pick<Details, 'category'>, internal: string): boolean {
  const folded = parse(internal)
  return category !== null && folded.size > 0 && folded.has(foldCategory(category))
}

/** The series with no category where it is internal; the same series if none is. */
export function withoutInternalCategories(series: Series, internal: string): Series {
  if (parse(internal).size === 0) return series
  const open = <T extends { details: Details }>(one: T): T =>
    hidesCategory(one.details, internal) ? { ...one, details: { ...one.details, category: null } } : one
  return { ...open(series), overrides: series.overrides.map(open) }
}
