// Schema parts that requests and responses share.
import { MAX_SOUGHT_CATEGORIES } from '../domain/categories/category.ts'
import { type JsonSchema, type Static, Type } from './json-schema.ts'

/** No fields but the declared ones. */
export const exact = { additionalProperties: false }

/** A value or null, as one type keyword, so that a wrong value gives one clear problem. */
export const nullable = <Schema extends JsonSchema>(schema: Schema) => {
  const { type, enum: values } = schema as unknown as { type: string; enum?: unknown[] }
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values ? { enum: [...values, null] } : {}),
  })
}

export const enumOf = <const Values extends readonly string[]>(values: Values, options: object = {}) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options })

export const OccurrenceKey = Type.String({
  description:
    'Nominal local start of the occurrence in the series’ own zone: `YYYYMMDDTHHMMSS`, or `YYYYMMDD` for all-day events.',
  examples: ['20260714T090000'],
})

/** A query parameter that may be repeated: names of categories may contain commas. */
export const oneOrMany = (description: string) =>
  Type.Unsafe<string | string[]>({
    type: ['string', 'array'],
    maxLength: 64,
    items: { type: 'string', maxLength: 64 },
    description: `${description} At most ${MAX_SOUGHT_CATEGORIES}.`,
  })
