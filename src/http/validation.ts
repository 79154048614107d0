// Ajv validation: bodies without coercion, query values with it; maps errors to field codes.
import { Ajv, type ErrorObject } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { JsonSchema } from '../contract/json-schema.ts'
import {
  AppError,
  type ErrorCode,
  type FieldCode,
  type FieldProblem,
  fail,
  failField,
  fieldProblem,
  MAX_REPORTED,
} from '../errors.ts'

/** All errors are collected, in bodies that are flat and bounded by `shorten`. */
const shared = {
  allErrors: true,
  strict: false,
  removeAdditional: false,
  useDefaults: false,
  validateFormats: false,
  // The schemas are ours and a test validates them; compiling the meta schema takes 100 ms of the first request.
  meta: false,
  validateSchema: false,
} as const
const bodies = new Ajv({ ...shared, coerceTypes: false })
const queries = new Ajv({ ...shared, coerceTypes: true })

export const compileValidator: FastifySchemaCompiler<JsonSchema> = ({ schema, httpPart }) => {
  const check = httpPart === 'querystring' ? queryCheckOf(schema) : bodyCheckOf(schema)
  return (data) => {
    const error = check(data)
    return error ? { error } : { value: data }
  }
}

type CompiledCheck = (data: unknown) => AppError | undefined

/** A schema is compiled on first use, once for all routes that share it: startup compiles none. */
function compileOnce(compile: (schema: JsonSchema) => CompiledCheck): (schema: JsonSchema) => CompiledCheck {
  const known = new WeakMap<JsonSchema, CompiledCheck>()
  return (schema) => (data) => {
    const check = known.get(schema) ?? compile(schema)
    known.set(schema, check)
    return check(data)
  }
}

const bodyCheckOf = compileOnce((schema) => {
  const validate = bodies.compile(anonymous(schema))
  return (body) => {
    const { shortened, tooLong } = shorten(body, schema as BodySchema)
    if (validate(shortened) && tooLong.length === 0) return undefined
    return fieldError([...tooLong, ...bodyProblems(validate.errors ?? [])])
  }
})

/** For a part of a body: why it does not fit the schema. */
export const findBodyError = (schema: JsonSchema, part: unknown): AppError | undefined => bodyCheckOf(schema)(part)

interface BodySchema {
  properties?: Record<string, { minItems?: number; maxItems?: number }>
}

/**
 * The body without the items of overlong lists, and without most of very many unknown fields: Ajv creates an error for
 * each, and 256 KiB have room for 80,000.
 */
function shorten(body: unknown, { properties = {} }: BodySchema): { shortened: unknown; tooLong: FieldProblem[] } {
  const tooLong: FieldProblem[] = []
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { shortened: body, tooLong }
  const fields = Object.entries(body)
  let unknown = 0
  const kept = fields.filter(([name]) => Object.hasOwn(properties, name) || ++unknown <= MAX_REPORTED)
  const short = kept.map(([name, value]): [string, unknown] => {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = properties[name] ?? {}
    if (!Array.isArray(value) || value.length <= maxItems) return [name, value]
    tooLong.push(fieldProblem(`/${name}`, 'too_long'))
    return [name, value.slice(0, minItems)]
  })
  const isWhole = tooLong.length === 0 && kept.length === fields.length
  return { shortened: isWhole ? body : Object.fromEntries(short), tooLong }
}

const queryCheckOf = compileOnce((schema) => {
  const validate = queries.compile(anonymous(schema))
  return (query) => {
    refuseOddValues(query, schema as QuerySchema)
    return validate(query) ? undefined : queryError(validate.errors ?? [])
  }
})

/** Ajv would refuse the same `$id` twice. */
function anonymous({ $id: _, ...schema }: JsonSchema & { $id?: string }): JsonSchema {
  return schema
}

interface QuerySchema {
  properties?: Record<string, { type?: string | readonly string[] }>
}

/**
 * Each parameter once, unless it may be a list, and whole numbers in plain digits: other spellings that Ajv would coerce are refused. A number
 * with more digits than a JavaScript integer is out of any range.
 */
function refuseOddValues(query: unknown, { properties = {} }: QuerySchema): void {
  for (const [parameter, value] of Object.entries(query as Record<string, unknown>)) {
    if (!Object.hasOwn(properties, parameter)) continue
    const type = properties[parameter]?.type
    if (Array.isArray(value) && !type?.includes('array')) fail('duplicate_parameter', { parameter })
    if (type !== 'integer') continue
    if (!/^-?\d+$/.test(String(value))) fail('invalid_parameter', { parameter })
    if (!/^-?\d{1,15}$/.test(String(value))) failField(parameter, 'out_of_range')
  }
}

/** A value that cannot be parsed as its type is malformed; one that can but is not allowed is invalid. */
function queryError(problems: ErrorObject[]): AppError {
  const unread = problems.find(({ keyword }) => keyword === 'type')
  if (unread) return new AppError('invalid_parameter', { details: { parameter: pointerOf(unread).slice(1) } })
  return fieldError(problems.map((problem) => fieldProblem(pointerOf(problem).slice(1), codeOf(problem))))
}

const bodyProblems = (problems: ErrorObject[]): FieldProblem[] =>
  problems.slice(0, MAX_REPORTED).map((problem) => fieldProblem(pointerOf(problem), codeOf(problem)))

const fieldError = (problems: FieldProblem[]): AppError =>
  new AppError('validation_failed' satisfies ErrorCode, { details: { fields: problems.slice(0, MAX_REPORTED) } })

function pointerOf({ instancePath, keyword, params }: ErrorObject): string {
  if (keyword === 'required') return `${instancePath}/${params.missingProperty}`
  // A name that could be a typing error is returned; any other may be personal text and is not.
  if (keyword === 'additionalProperties') {
    return `${instancePath}/${/^\w{1,40}$/.test(params.additionalProperty) ? params.additionalProperty : ''}`
  }
  return instancePath
}

const CODES: Record<string, FieldCode> = {
  required: 'required',
  type: 'invalid_type',
  minLength: 'too_short',
  maxLength: 'too_long',
  maxItems: 'too_long',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  enum: 'not_allowed',
  const: 'not_allowed',
  pattern: 'invalid_format',
  additionalProperties: 'unknown_field',
}

const codeOf = ({ keyword }: ErrorObject): FieldCode => CODES[keyword] ?? 'invalid_format'
