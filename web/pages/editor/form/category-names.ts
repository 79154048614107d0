// The categories there are, to choose from while writing.
import { call } from '../../../app/session.ts'

/** Without them a category can still be typed. */
export const listCategoryNames = (): Promise<string[]> =>
  call('listCategories').then(
    ({ data }) => data.map(({ name }) => name),
    () => [],
  )
