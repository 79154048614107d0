// Texts of the pages: each value that the API can send has one, and none is left of a value that it no longer sends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REWIND_REASONS } from '../../../src/actions/history/plan-rewind.ts'
import { RewindResult } from '../../../src/contract/history/rewind.ts'
import { HistoryItem } from '../../../src/contract/history/versions.ts'
import { APPROVAL_STATES, ROLES } from '../../../src/domain/account/account.ts'
import { AUDIT_ACTIONS } from '../../../src/domain/account/audit.ts'
import { errors } from '../../../src/errors.ts'
import { errors as errorWords } from '../../../web/words/english/first.ts'
import { history } from '../../../web/words/english/past.ts'
import { admin as people } from '../../../web/words/english/people.ts'
import { admin as server } from '../../../web/words/english/server.ts'

/** The values that a schema allows, without null. */
function valuesOf(schema: unknown): string[] {
  const { enum: values, anyOf = [] } = schema as { enum?: (string | null)[]; anyOf?: unknown[] }
  return values?.filter((value) => value !== null) ?? anyOf.flatMap(valuesOf)
}

const entryOfRewind = (RewindResult.properties.events as { items: { properties: Record<string, unknown> } }).items

const TABLES: [name: string, texts: object, values: readonly string[]][] = [
  ['actions of the audit trail', people.auditPage.actions, AUDIT_ACTIONS],
  ['results of a rewind', server.rewindPage.results, valuesOf(entryOfRewind.properties.result)],
  ['reasons of a rewind', server.rewindPage.reasons, REWIND_REASONS],
  ['reasons in the contract', server.rewindPage.reasons, valuesOf(entryOfRewind.properties.reason)],
  ['means of a version', history.through, valuesOf(HistoryItem.properties.through)],
  ['roles', people.roles, ROLES],
  ['states of accounts', people.states, APPROVAL_STATES],
]

for (const [name, texts, values] of TABLES)
  test(`each of the ${name} has a text, and no other value`, () => {
    assert.ok(values.length > 1)
    assert.deepEqual(Object.keys(texts).sort(), [...values].sort())
    for (const text of Object.values(texts)) assert.ok(JSON.stringify(text).length > 2, 'an empty text')
  })

test('texts for errors belong to errors that exist', () => {
  // These are of the browser and of no answer.
  const own = ['unknown', 'offline', 'another_person']
  const stale = Object.keys(errorWords).filter((code) => !(code in errors) && !own.includes(code))
  assert.deepEqual(stale, [])
})
