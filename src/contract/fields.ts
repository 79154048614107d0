// Schema parts that requests and responses share.
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
