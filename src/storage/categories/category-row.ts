// Row type of the table of managed categories.
import type { CategoryVisibility } from '../../domain/categories/category.ts'

export interface CategoryRow {
  id: string
  name: string
  /** The name as it is compared. */
  folded: string
  /** The folded name before a rename that has not reached all events. */
  former_folded: string | null
  /** The administrator of that rename. */
  renamed_by: string | null
  /** `#rrggbb`, as an administrator chose it. */
  color: string
  position: number
  description: string | null
  visibility: CategoryVisibility
  version: number
  created_at: number
  updated_at: number
}
