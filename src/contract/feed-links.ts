// JSON schemas of personal feed links.
import { MAX_SOUGHT_CATEGORIES } from '../domain/categories/category.ts'
import { enumOf, exact, nullable } from './fields.ts'
import { type Static, Type } from './json-schema.ts'

const Name = Type.String({ minLength: 1, maxLength: 100, description: 'To tell it from the others.' })
const Detail = enumOf(['full', 'masked'], {
  description: '`full`: every event with its words. `masked`: what the public sees.',
})
const CategoryName = Type.String({ maxLength: 64 })
const Moment = Type.String({ format: 'date-time' })

export const NewFeedLink = Type.Object(
  {
    name: Name,
    detail: Type.Optional({ ...Detail, default: 'full' }),
    category: Type.Optional(
      nullable({ ...CategoryName, description: 'Only events of exactly this category. Empty: all.' }),
    ),
    categories: Type.Optional(
      Type.Array(CategoryName, {
        maxItems: MAX_SOUGHT_CATEGORIES,
        description: 'Only events of any of these. Empty, and without `category`: all.',
      }),
    ),
  },
  { ...exact, $id: 'NewFeedLink', examples: [{ name: 'Phone', detail: 'full' }] },
)

export type NewFeedLinkValues = Static<typeof NewFeedLink>

export const FeedLinkName = Type.Object(
  { name: Name },
  { ...exact, $id: 'FeedLinkName', examples: [{ name: 'Tablet' }] },
)

const link = {
  id: Type.String(),
  name: Type.String(),
  detail: Detail,
  category: nullable({ ...Type.String(), description: 'If it is a single one.' }),
  categories: Type.Array(Type.String(), { description: 'Events of any of these; empty for all.' }),
  created_at: Moment,
  last_used_at: nullable({ ...Moment, description: 'Written down once an hour.' }),
}

export const FeedLinkEntry = Type.Object(link, { ...exact, $id: 'FeedLink' })

export const MadeFeedLink = Type.Object(
  { ...link, url: Type.String({ description: 'The address to subscribe to. Shown this once.' }) },
  { ...exact, $id: 'MadeFeedLink' },
)
