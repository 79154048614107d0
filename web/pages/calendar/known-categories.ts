// Loads the categories for the filter and the legend, with the internal ones for users who may see them.
import { useEffect } from 'preact/hooks'
import { call } from '../../app/session.ts'
import { showCategoryColors } from '../../calendar/categories/category-colors.ts'
import type { KnownCategory } from '../../calendar/categories/category-legend.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'

/** Empty until they are loaded, and where that fails. */
export function useKnownCategories(isReader: boolean, changes: unknown): readonly KnownCategory[] {
  const loaded = useLoaded(
    async (signal): Promise<KnownCategory[]> => {
      const [open, managed] = await Promise.all([
        call('listCategories', { signal }),
        isReader ? call('listManagedCategories', { signal }) : undefined,
      ])
      const known = new Set(managed?.data.map(({ name }) => name))
      return [...(managed?.data ?? []), ...open.data.filter(({ name }) => !known.has(name))]
    },
    [isReader, changes],
  )
  useEffect(() => {
    if (loaded.data) showCategoryColors(document, loaded.data)
  }, [loaded.data])
  return loaded.data ?? []
}
