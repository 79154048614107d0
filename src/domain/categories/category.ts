// Managed categories: names, their folded form, limits.
import { foldText } from '../plain-text.ts'

export const CATEGORY_VISIBILITIES = ['public', 'internal'] as const

export type CategoryVisibility = (typeof CATEGORY_VISIBILITIES)[number]

/** Managed ones; events may have any number of others. */
export const MAX_CATEGORIES = 100

/** Those that one list or feed may be filtered by. */
export const MAX_SOUGHT_CATEGORIES = 20

export const MAX_CATEGORY_DESCRIPTION = 200

/** A category that administrators have given a colour and an order. */
export interface StoredCategory {
  id: string
  name: string
  color: string
  description: string | null
  visibility: CategoryVisibility
  /** From 0, in the order that administrators chose. */
  position: number
  version: number
  /** What events are called that a rename has not reached yet, folded. */
  formerFolded: string | null
  /** The administrator of that rename; null where the account is gone. */
  renamedBy: string | null
}

/**
 * Names that people read as one have one folded form: an internal category must be hidden however a calendar program
 * spells it.
 */
export const foldCategory = (name: string): string =>
  // In capitals ß is SS and ı is I, which lower case alone would keep apart.
  foldText(name.toUpperCase())
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
