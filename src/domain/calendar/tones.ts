// The colour class of an event, by its category: the same in every list and view.

/** Colours only help to tell categories apart at a glance; the category’s name is in the details. */
const TONES = 8

export function toneOf({ visibility, category }: { visibility: string; category?: string | null }): string {
  if (visibility === 'private') return 'tone-private'
  if (!category) return 'tone-plain'
  let sum = 0
  for (const sign of category) sum = (sum * 31 + sign.codePointAt(0)!) % 9_973
  return `tone-${sum % TONES}`
}
