// Loads the category names that the form suggests: managed ones first, in their order.
import { call } from '../../../app/session.ts'

/** Empty if loading fails; a category can still be typed. */
export async function listCategoryNames(): Promise<string[]> {
  const names = (answer: { data: readonly { name: string }[] }): string[] => answer.data.map(({ name }) => name)
  const [managed, used] = await Promise.all([
    call('listManagedCategories').then(names, () => []),
    call('listCategories').then(names, () => []),
  ])
  return [...new Set([...managed, ...used])]
}
