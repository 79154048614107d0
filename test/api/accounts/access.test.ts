// Authorisation of event operations: which account may do what, and the order in which checks refuse a request.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, withWorld } from '../../support/world.ts'

const event = {
  title: 'A',
  start: '2026-07-14T09:00',
  end: '2026-07-14T10:00',
  visibility: 'private',
  rrule: 'FREQ=DAILY;COUNT=9',
}
const MISSING = '00000000000000000000000000'

const operations = (id: string): [string, (client: Client) => ReturnType<Client['get']>, 'read' | 'write'][] => [
  ['list', (client) => client.get('/events'), 'read'],
  ['get', (client) => client.get(`/events/${id}`), 'read'],
  ['occurrences', (client) => client.get(`/events/${id}/occurrences`), 'read'],
  ['occurrence', (client) => client.get(`/events/${id}/occurrences/20260715T090000`), 'read'],
  ['create', (client) => client.post('/events', event), 'write'],
  ['replace', (client) => client.put(`/events/${id}`, { ...event, version: 1 }), 'write'],
  ['patch', (client) => client.patch(`/events/${id}`, { title: 'B', version: 1 }), 'write'],
  [
    'patch occurrence',
    (client) => client.patch(`/events/${id}/occurrences/20260715T090000`, { title: 'B', version: 1 }),
    'write',
  ],
  ['delete occurrence', (client) => client.delete(`/events/${id}/occurrences/20260715T090000`), 'write'],
  ['restore', (client) => client.delete(`/events/${id}/exceptions/20260715T090000`), 'write'],
  ['delete', (client) => client.delete(`/events/${id}`), 'write'],
]

forEachEngine('every operation is open to exactly the accounts that the matrix lists', (engine) =>
  withWorld(engine, async ({ writer, reader, admin, anonymous, addPerson, as }) => {
    const states = ['pending_approval', 'rejected', 'suspended'] as const
    for (const state of states) await addPerson(`${state}@example.org`, 'admin', state)
    await addPerson('unverified@example.org', 'admin', 'approved', false)
    const people: [string, Client, { full: boolean; write: number; code?: string }][] = [
      ['anonymous', anonymous, { full: false, write: 401, code: 'authentication_required' }],
      ['pending', as('pending_approval@example.org'), { full: false, write: 403, code: 'account_pending' }],
      ['rejected', as('rejected@example.org'), { full: false, write: 403, code: 'account_rejected' }],
      ['suspended', as('suspended@example.org'), { full: false, write: 403, code: 'account_suspended' }],
      ['unverified', as('unverified@example.org'), { full: false, write: 403, code: 'email_not_verified' }],
      ['reader', reader, { full: true, write: 403, code: 'insufficient_capability' }],
      ['writer', writer, { full: true, write: 200 }],
      ['admin', admin, { full: true, write: 200 }],
    ]
    for (const [name, client, expected] of people) {
      const { id } = await writer.creates(event)
      for (const [operation, act, kind] of operations(id)) {
        const answer = await act(client)
        if (kind === 'read') {
          assert.equal(answer.status, 200, `${name} ${operation}`)
          assert.equal(answer.text.includes('"created_by"'), expected.full, `${name} ${operation}`)
        } else if (expected.write === 200)
          assert.ok(answer.status !== 401 && answer.status !== 403, `${name} ${operation} ${answer.status}`)
        else {
          assert.equal(answer.status, expected.write, `${name} ${operation}`)
          assert.equal(answer.body.error.code, expected.code, `${name} ${operation}`)
        }
      }
    }
  }),
)

forEachEngine('P27: an account that may not write learns nothing about which events exist', (engine) =>
  withWorld(engine, async ({ writer, reader, anonymous }) => {
    const { id } = await writer.creates(event)
    for (const client of [anonymous, reader]) {
      const here = operations(id).filter(([, , kind]) => kind === 'write')
      const nowhere = operations(MISSING).filter(([, , kind]) => kind === 'write')
      for (const [i, [operation, act]] of here.entries()) {
        const [one, two] = [await act(client), await nowhere[i]![1](client)]
        assert.equal(one.text, two.text, operation)
        assert.equal(one.status, two.status, operation)
      }
    }
  }),
)

forEachEngine('wrong credentials are refused, never treated as anonymous', (engine) =>
  withWorld(engine, async ({ anonymous, as }) => {
    const headers = [
      { authorization: `Basic ${Buffer.from('writer@example.org:wrong password').toString('base64')}` },
      { authorization: `Basic ${Buffer.from('nobody@example.org:wrong password').toString('base64')}` },
      { authorization: 'Basic !!!' },
      { authorization: `Basic ${Buffer.from('no colon').toString('base64')}` },
      { authorization: `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0x41]).toString('base64')}` },
      { authorization: 'Bearer calpat_nothing' },
      { authorization: 'Digest username="x"' },
      { authorization: '' },
    ]
    const bodies = new Set<string>()
    for (const header of headers) {
      for (const answer of [await anonymous.get('/events', header), await anonymous.post('/events', event, header)]) {
        assert.equal(answer.status, 401, JSON.stringify(header))
        assert.equal(answer.body.error.code, 'invalid_credentials')
        assert.equal(answer.headers['www-authenticate'], 'Bearer realm="calendar"')
        bodies.add(createHash('sha256').update(answer.text).digest('hex'))
      }
    }
    assert.equal(bodies.size, 1, 'a known and an unknown address get the same answer')
    assert.equal((await as('WRITER@Example.ORG').get('/events')).status, 200, 'addresses are compared without case')
    const none = await anonymous.post('/events', event)
    assert.equal(none.body.error.code, 'authentication_required')
    assert.equal(none.headers['www-authenticate'], 'Bearer realm="calendar"')
  }),
)

forEachEngine('an account that loses access is refused on the next request', (engine) =>
  withWorld(engine, async ({ writer, app }) => {
    const { id } = await writer.creates(event)
    const change = async (set: object) => {
      await app.ctx.storage.writes.updateTable('users').set(set).where('email_key', '=', 'writer@example.org').execute()
      await app.ctx.storage.writes
        .updateTable('calendar')
        .set((eb) => ({ accounts_revision: eb('accounts_revision', '+', 1) }))
        .execute()
    }
    await change({ approval_state: 'suspended' })
    assert.equal((await writer.delete(`/events/${id}`)).body.error.code, 'account_suspended')
    await change({ approval_state: 'approved', role: 'reader' })
    assert.equal((await writer.delete(`/events/${id}`)).body.error.code, 'insufficient_capability')
    await change({
      role: 'writer',
      password_hash: '$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    })
    assert.equal(
      (await writer.delete(`/events/${id}`)).body.error.code,
      'invalid_credentials',
      'a changed password ends what was remembered',
    )
  }),
)

forEachEngine('checks run in one order, so that no response reveals too much', (engine) =>
  withWorld(engine, async ({ writer, reader, anonymous }) => {
    const { id } = await writer.creates(event)
    const junk = { 'content-type': 'text/plain' }
    assert.equal((await anonymous.post('/nowhere', 'junk', junk)).status, 404)
    assert.equal((await anonymous.post(`/events/${id}`, 'junk', junk)).status, 405)
    assert.equal((await anonymous.patch(`/events/${id}`, 'junk', junk)).status, 401)
    assert.equal((await reader.patch(`/events/${id}`, 'junk', junk)).status, 403)
    assert.equal((await writer.patch(`/events/${id}`, 'junk', junk)).status, 415)
    assert.equal((await writer.patch(`/events/${id}`, 'junk')).body.error.code, 'invalid_json')
    assert.equal((await writer.patch(`/events/${MISSING}`, { title: 7 })).body.error.code, 'precondition_required')
    assert.equal((await writer.patch(`/events/${MISSING}`, { title: 7, version: 9 })).status, 422)
    assert.equal((await writer.patch(`/events/${MISSING}`, { timezone: 'No/Where', version: 9 })).status, 422)
    assert.equal((await writer.put(`/events/${MISSING}`, { ...event, end: '2020-01-01', version: 9 })).status, 422)
    assert.equal((await writer.patch(`/events/${MISSING}`, { title: 'B', version: 9 })).status, 404)
    assert.equal((await writer.patch(`/events/${id}`, { title: 'B', version: 9 })).status, 412)
    assert.equal(
      (await writer.patch(`/events/${id}/occurrences/junk`, { title: 'B', version: 9 })).body.error.code,
      'invalid_occurrence_key',
    )
  }),
)
