// The managed categories of the demo: most of its events have one, and so a colour.
import { createCategory } from '../../actions/categories/manage-categories.ts'
import type { Context } from '../../context.ts'
import { foldCategory } from '../../domain/categories/category.ts'
import { OPERATOR } from '../../domain/privacy/viewer.ts'
import { listManagedCategories } from '../../storage/categories/managed-categories.ts'
import { readTable } from './table.ts'

/** “Closures” and “Seasonal” stay free text, which administrators may adopt. */
const CATEGORIES = readTable(
  ['name', 'color', 'description'],
  `
Children    | #b5460f | For children and their families.
Classes     | #2f7a3d | Sport and movement, week by week.
Clubs       | #1f5fa8 | Groups that meet regularly.
Council     | #56606f | Meetings of the town council and its committees.
Exhibitions | #7a5230 | In the foyer and the studios.
Film        | #a3246a | The film club's screenings.
Health      | #0a7a7a | Clinics and advice.
Learning    | #8a6a00 | Talks, courses and workshops.
Markets     | #5a7d0c | Markets, fairs and sales.
Music       | #c0262d | Concerts and choirs.
School      | #6a4fb3 | Terms and holidays of the schools.
`,
)

/** A name that is managed already stays as it is. */
export async function createDemoCategories(ctx: Context): Promise<void> {
  const known = new Set((await listManagedCategories(ctx.storage.reads)).map(({ name }) => foldCategory(name)))
  for (const { name, color, description } of CATEGORIES)
    if (!known.has(foldCategory(name)))
      await createCategory(ctx, OPERATOR, { name, color, description }, { requestId: null })
}
