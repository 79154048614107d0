// Validation of request bodies: every ordinary problem is reported, and a body full of problems costs little.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RejectRequest } from '../../src/contract/admin.ts'
import { EventPatch, NewEvent } from '../../src/contract/event-requests.ts'
import type { JsonSchema } from '../../src/contract/json-schema.ts'
import { checkPatch, patchSeries } from '../../src/domain/calendar/update.ts'
import type { AppError, FieldProblem } from '../../src/errors.ts'
import { compileValidator } from '../../src/http/validation.ts'
import { create, DEFAULTS } from '../domain/calendar/series.ts'
import { leastWork } from '../support/measure/effort.ts'

const validatorOf = (schema: JsonSchema) =>
  compileValidator({ schema, method: 'POST', url: '/', httpPart: 'body' }) as (body: unknown) => { error?: AppError }

const problemsOf = (schema: JsonSchema, body: unknown): string[] => listFields(validatorOf(schema)(body).error)

const listFields = (error: AppError | undefined): string[] =>
  ((error?.details?.fields ?? []) as FieldProblem[]).map(({ field, code }) => `${field} ${code}`)

const many = <T>(count: number, item: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i))

const EVENT = { title: 'A', start: '2026-07-14T10:00', end: '2026-07-14T11:00' }

test('a list that is too long is one problem, and the others are reported beside it', () => {
  assert.deepEqual(problemsOf(NewEvent, { ...EVENT, exdates: many(501, () => 1) }), ['/exdates too_long'])
  assert.deepEqual(problemsOf(NewEvent, { ...EVENT, title: '', rdates: many(501, String), colour: 'red' }).sort(), [
    '/colour unknown_field',
    '/rdates too_long',
    '/title too_short',
  ])
  assert.deepEqual(problemsOf(RejectRequest, { ids: many(501, String) }), ['/ids too_long'])
  assert.deepEqual(problemsOf(RejectRequest, { ids: [] }), ['/ids invalid_format'])
  assert.deepEqual(problemsOf(NewEvent, { ...EVENT, exdates: many(500, String) }), [])
  assert.deepEqual(problemsOf(NewEvent, { ...EVENT, exdates: [1, '2', null] }), [
    '/exdates/0 invalid_type',
    '/exdates/2 invalid_type',
  ])
})

test('at most 50 problems are reported, including problems of single values', () => {
  assert.equal(problemsOf(NewEvent, { ...EVENT, exdates: many(400, () => 1) }).length, 50)
  assert.equal(problemsOf(NewEvent, Object.fromEntries(many(300, (i) => [`f${i}`, i]))).length, 50)
  const exdates = many(9_000, () => 'never')
  assert.throws(
    () => {
      checkPatch({ exdates })
      patchSeries(create({ rrule: 'FREQ=DAILY' }), { exdates }, DEFAULTS)
    },
    (error: AppError) => listFields(error).length === 50,
  )
})

test('validating a body full of problems costs less than four times parsing it', () => {
  const bodies: [string, JsonSchema, object, number][] = [
    ['wrong dates', EventPatch, { exdates: many(80_000, () => 1) }, 20],
    ['wrong dates of a new event', NewEvent, { ...EVENT, rdates: many(80_000, () => 1) }, 20],
    ['unknown fields', EventPatch, Object.fromEntries(many(25_000, (i) => [`f${i}`, 1])), 3],
  ]
  for (const [name, schema, body, times] of bodies) {
    const text = JSON.stringify(body)
    const validate = validatorOf(schema)
    // The first one compiles the schema.
    assert.ok(validate(JSON.parse(text)).error)
    // Many times, because CPU time is counted in milliseconds.
    let parsed: unknown[] = []
    const parsing = leastWork(() => {
      parsed = many(times, () => JSON.parse(text))
    })
    const checking = leastWork(() => {
      for (const each of parsed) assert.ok(validate(each).error)
    })
    const ratio = checking / parsing
    assert.ok(ratio < 4, `${name}: ${ratio.toFixed(1)} times`)
  }
})
