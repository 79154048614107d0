// The colour classes of an event, by its category: the same in every list and view.
import { foldCategory } from '../categories/category.ts'

/** Colours only help to tell categories apart at a glance; the category’s name is in the details. */
export function toneOf({ visibility, category }: { visibility: string; category?: string | null }): string {
  if (visibility === 'private') return 'tone-private'
  return category ? `tone-plain ${categoryClass(category)}` : 'tone-plain'
}

/** The same for all spellings of a name. A name without a rule keeps the neutral colour. */
export function categoryClass(name: string): string {
  // FNV-1a, as a name may have characters that a class may not.
  let hash = 0x81_1c_9d_c5
  for (const sign of foldCategory(name)) hash = Math.imul(hash ^ sign.codePointAt(0)!, 0x01_00_01_93)
  return `cat-${(hash >>> 0).toString(36)}`
}
