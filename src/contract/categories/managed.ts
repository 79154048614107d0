// JSON schemas of managed categories: what administrators send, and what readers get.
import { CATEGORY_VISIBILITIES, MAX_CATEGORIES, MAX_CATEGORY_DESCRIPTION } from '../../domain/categories/category.ts'
import { enumOf, exact, nullable } from '../fields.ts'
import { type Static, Type } from '../json-schema.ts'

const Color = Type.String({
  maxLength: 7,
  description: 'As chosen: `#rrggbb`. Any colour may be chosen; pages show a shade of it that can be read.',
  examples: ['#0a6c74'],
})

const shade = (theme: string) =>
  Type.String({ description: `Its shade on ${theme} pages: text in it has a contrast of at least 4.5:1 there.` })

/** The shades that pages show; programs may take either. */
export const shades = { color_light: shade('light'), color_dark: shade('dark') }

const Description = nullable(
  Type.String({
    maxLength: 4 * MAX_CATEGORY_DESCRIPTION,
    description: `At most ${MAX_CATEGORY_DESCRIPTION} characters.`,
  }),
)

const Visibility = enumOf(CATEGORY_VISIBILITIES, {
  description:
    'Of an internal one the public sees neither name nor colour: a public event of it has no category there.',
})

const Position = Type.Integer({ minimum: 0, maximum: MAX_CATEGORIES, description: 'From 0; the others move.' })

const Name = Type.String({ maxLength: 256, description: 'At most 64 characters. Case and accents make no other name.' })

const changeable = {
  color: Type.Optional(Color),
  description: Type.Optional(Description),
  visibility: Type.Optional(Visibility),
  position: Type.Optional(Position),
}

export const NewCategory = Type.Object({ name: Name, ...changeable }, { ...exact, $id: 'NewCategory' })

export type NewCategoryValues = Static<typeof NewCategory>

export const CategoryChange = Type.Object(
  {
    name: Type.Optional(Name),
    ...changeable,
    version: Type.Optional(Type.Integer({ description: 'The version that is changed, if not in `If-Match`.' })),
  },
  { ...exact, $id: 'CategoryChange' },
)

export type CategoryChangeValues = Static<typeof CategoryChange>

const managed = {
  id: Type.String(),
  name: Type.String(),
  color: Color,
  ...shades,
  description: nullable(Type.String()),
  visibility: Visibility,
  position: Type.Integer(),
  version: Type.Integer(),
  etag: Type.String({ description: 'For `If-Match`.' }),
  renaming: Type.Boolean({
    description: '`true` while some events still have its former name; the service goes on by itself.',
  }),
}

export const ManagedCategoryItem = Type.Object(managed, { ...exact, $id: 'ManagedCategory' })

export const CountedCategoryItem = Type.Object(
  { ...managed, count: Type.Integer({ description: 'Events that have it, private ones included.' }) },
  { ...exact, $id: 'CountedCategory' },
)

export const FreeCategoryItem = Type.Object(
  { name: Type.String(), count: Type.Integer({ minimum: 1 }) },
  { ...exact, $id: 'FreeCategory' },
)

export const CategoryOverviewData = Type.Object(
  {
    managed: Type.Array(CountedCategoryItem, { description: 'In their order.' }),
    free: Type.Array(FreeCategoryItem, {
      description: 'As events have them, those with most events first; at most 500.',
    }),
    truncated: Type.Boolean({ description: 'Whether there are more of these than are listed.' }),
  },
  { ...exact, $id: 'CategoryOverview' },
)
