// Builds JSON Schemas with the TypeScript types they accept: the few kinds the contract uses.

declare const VALUE: unique symbol
/** Marks an optional property; a symbol, so that it is not part of the document. */
const OPTIONAL = Symbol('optional')

/** A schema of values of this type. */
export interface JsonSchema<Value = unknown> {
  [VALUE]?: Value
  [keyword: string]: unknown
}

interface OptionalSchema<Value = unknown> extends JsonSchema<Value> {
  [OPTIONAL]: true
}

interface ObjectSchema<Properties> extends JsonSchema<ObjectValue<Properties>> {
  properties: Properties
}

/** The type that a schema accepts. */
export type Static<Schema> = Schema extends JsonSchema<infer Value> ? Value : never

type OptionalKey<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends OptionalSchema ? Key : never
}[keyof Properties]

type ObjectValue<Properties> = {
  [Key in Exclude<keyof Properties, OptionalKey<Properties>>]: Static<Properties[Key]>
} & { [Key in OptionalKey<Properties>]?: Static<Properties[Key]> }

type Keywords = Record<string, unknown>

const build =
  <Value>(type: string) =>
  (keywords: Keywords = {}): JsonSchema<Value> => ({ type, ...keywords })

export const Type = {
  String: build<string>('string'),
  Integer: build<number>('integer'),
  Number: build<number>('number'),
  Boolean: build<boolean>('boolean'),
  Null: build<null>('null'),
  Unknown: (keywords: Keywords = {}): JsonSchema => ({ ...keywords }),
  Literal: <const Value extends string>(value: Value): JsonSchema<Value> => ({ type: 'string', const: value }),

  /** A schema written by hand, with its type. */
  Unsafe: <Value>(schema: Keywords): JsonSchema<Value> => ({ ...schema }),

  Optional: <Value>(schema: JsonSchema<Value>): OptionalSchema<Value> => ({ ...schema, [OPTIONAL]: true }),

  Array: <Value>(items: JsonSchema<Value>, keywords: Keywords = {}): JsonSchema<Value[]> => ({
    type: 'array',
    items,
    ...keywords,
  }),

  Union: <const Schemas extends readonly JsonSchema[]>(anyOf: Schemas): JsonSchema<Static<Schemas[number]>> => ({
    anyOf,
  }),

  /** Named schemas that one property tells apart: the value of the property, and the schema that has it. */
  Discriminated: <const Schemas extends Record<string, JsonSchema>>(
    propertyName: string,
    schemas: Schemas,
  ): JsonSchema<Static<Schemas[keyof Schemas]>> => ({
    oneOf: Object.values(schemas),
    discriminator: {
      propertyName,
      mapping: Object.fromEntries(
        Object.entries(schemas).map(([value, { $id }]) => [value, `#/components/schemas/${$id}`]),
      ),
    },
  }),

  /** An object with any names and values of one kind. */
  Record: <Value>(values: JsonSchema<Value>, keywords: Keywords = {}): JsonSchema<Record<string, Value>> => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...keywords,
  }),

  Object<Properties extends Record<string, JsonSchema>>(
    properties: Properties,
    keywords: Keywords = {},
  ): ObjectSchema<Properties> {
    const required = Object.keys(properties).filter((name) => !(OPTIONAL in properties[name]!))
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...keywords }
  },
}
