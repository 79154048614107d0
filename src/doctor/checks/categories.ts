// Notices categories of events that no administrator manages yet, as after an upgrade.
import { listCategorySpellings } from '../../storage/categories/category-uses.ts'
import { listManagedCategories } from '../../storage/categories/managed-categories.ts'
import type { Inspection } from '../../storage/engine/inspect.ts'
import { type Finding, finding } from '../finding.ts'

export async function checkCategories({ db }: Inspection): Promise<Finding[]> {
  if ((await listManagedCategories(db)).length > 0) return []
  const { length } = await listCategorySpellings(db)
  if (length === 0) return []
  const what = length === 1 ? '1 category of events is' : `${length} categories of events are`
  return [
    finding('categories_not_managed', `${what} shown without a colour`, {
      advice: 'An administrator adopts them on the page Categories: one press gives each a colour and a place.',
      values: { count: length },
    }),
  ]
}
