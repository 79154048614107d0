// Reads and checks what an administrator sends of a category: name, colour, description, order.

import { MAX_TEXT_CHARS } from '../../domain/calendar/fields.ts'
import { type CategoryVisibility, foldCategory, MAX_CATEGORY_DESCRIPTION } from '../../domain/categories/category.ts'
import { parseColor } from '../../domain/categories/category-colors.ts'
import { cleanText, isLonger } from '../../domain/plain-text.ts'
import { Problems } from '../../domain/problems.ts'

export interface CategoryPatch {
  name?: string | undefined
  color?: string | undefined
  description?: string | null | undefined
  visibility?: CategoryVisibility | undefined
  position?: number | undefined
}

/** What is given, in its usual form, or every problem at once. */
export function readCategoryPatch(patch: CategoryPatch): CategoryPatch {
  const problems = new Problems()
  const read: CategoryPatch = { visibility: patch.visibility, position: patch.position }
  if (patch.name !== undefined) read.name = readLine('/name', patch.name, MAX_TEXT_CHARS.category, problems)
  if (read.name === '' || (read.name && foldCategory(read.name) === '')) problems.add('/name', 'too_short')
  if (patch.color !== undefined) read.color = parseColor(patch.color) ?? problems.add('/color', 'invalid_format')
  if (patch.description !== undefined)
    read.description = readLine('/description', patch.description ?? '', MAX_CATEGORY_DESCRIPTION, problems) || null
  problems.throwIfAny()
  return read
}

function readLine(field: string, text: string, most: number, problems: Problems): string | undefined {
  const line = cleanText(text)
  if (line === undefined || /[\n\t]/.test(line)) return problems.add(field, 'invalid_format')
  if (isLonger(line, most)) problems.add(field, 'too_long')
  return line
}
