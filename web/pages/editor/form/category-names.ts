// Loads the category names that the form suggests.
import { call } from '../../../app/session.ts'

/** Empty if loading fails; a category can still be typed. */
export const listCategoryNames = (): Promise<string[]> =>
  call('listCategories').then(
    ({ data }) => data.map(({ name }) => name),
    () => [],
  )
