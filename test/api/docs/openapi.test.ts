// The OpenAPI document: its form, its facts about this service, and no breaking change since the last release.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { errors } from '../../../src/errors.ts'
import { cookieNameOf } from '../../../src/http/guard/cookie.ts'
import type { Json } from '../../support/http/api-response.ts'
import { type ApiDocument, findBreakingChanges } from '../../support/http/breaking-changes.ts'
import { withWorld } from '../../support/world.ts'

const DOCS = join(import.meta.dirname, '..', '..', '..', 'docs')

const withDocument = (tell: (document: Json, cookieName: string) => void, settings: Record<string, string> = {}) =>
  withWorld(
    'sqlite',
    async ({ app, anonymous }) => {
      tell((await anonymous.get('/openapi.json')).body, cookieNameOf(app.ctx.secret))
    },
    { settings },
  )

const operationsOf = (document: Json): [string, Json][] =>
  Object.entries(document.paths as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Json] => [`${method} ${path}`, operation]),
  )

/** As Spectral's recommended rules for OpenAPI; docs/versioning.md says how to run Spectral itself. */
test('every operation has a tag, a summary and a description, and every reference a target', () =>
  withDocument((document) => {
    assert.ok(document.info.contact.url && document.info.description && document.info.license)
    const tags = document.tags.map(({ name, description }: Json) => description && name)
    assert.equal(new Set(tags).size, tags.length)
    const used = new Set<string>()
    for (const [what, operation] of operationsOf(document)) {
      assert.ok(operation.summary && operation.description, what)
      assert.match(operation.operationId, /^[a-zA-Z]+$/)
      assert.equal(operation.tags.length, 1, what)
      used.add(operation.tags[0])
      const named = operation.parameters.map(({ name, in: place }: Json) => `${place} ${name}`)
      assert.equal(new Set(named).size, named.length, what)
      assert.ok(Object.keys(operation.responses).some((status) => status < '300'))
      const fromPath = [...what.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path ${name}`)
      assert.deepEqual(
        fromPath,
        named.filter((name: string) => name.startsWith('path ')),
        what,
      )
    }
    assert.deepEqual([...used].sort(), tags.toSorted())
    const text = JSON.stringify(document)
    const targets = new Set(
      [...text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)].map(([, kind, name]) => `${kind} ${name}`),
    )
    for (const kind of ['schemas', 'headers'])
      for (const name of Object.keys(document.components[kind]))
        assert.ok(targets.delete(`${kind} ${name}`), `${kind} ${name} is not used`)
    assert.deepEqual([...targets], [])
  }))

test('every error response lists its codes, each under its own status', () =>
  withDocument((document) => {
    for (const [what, { responses }] of operationsOf(document))
      for (const [status, { content, headers }] of Object.entries(responses as Record<string, Json>)) {
        assert.ok(headers['X-Request-Id'], what)
        if (status < '400') continue
        const [, { properties }] = content['application/json'].schema.allOf
        const codes: (keyof typeof errors)[] = properties.error.properties.code.enum
        assert.deepEqual(codes.toSorted(), Object.keys(content['application/json'].examples).sort())
        for (const code of codes) assert.equal(String(errors[code].status), status, `${what} ${code}`)
      }
  }))

test('a change under a session needs the token besides the cookie, which has its real name', async () => {
  const expect = (prefix: string) => (document: Json, cookieName: string) => {
    const { session, csrf } = document.components.securitySchemes
    assert.deepEqual([session.name, csrf.name], [`${prefix}${cookieName}`, 'X-CSRF-Token'])
    for (const [what, { security, responses }] of operationsOf(document)) {
      const way = security.find((one: Json) => one.session)
      if (way) assert.equal('csrf' in way, !what.startsWith('get '), what)
      assert.equal('401' in responses, way !== undefined || what === 'post /auth/login', what)
    }
    const { requestBody } = document.paths['/events/{event_id}'].patch
    assert.deepEqual(Object.keys(requestBody.content), ['application/json', 'application/merge-patch+json'])
  }
  await withDocument(expect(''))
  await withDocument(expect('__Host-'), { DAYBOOK_PUBLIC_URL: 'https://calendar.example.org' })
})

const byVersion = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

const released = (): ApiDocument => {
  const [name = ''] = globSync('openapi-*.json', { cwd: DOCS }).sort(byVersion).reverse()
  return JSON.parse(readFileSync(join(DOCS, name), 'utf8'))
}

/** Kinds of a response that only a request with a new parameter gets, so no client of the released document. */
const PATCH_OCCURRENCE = 'PATCH /events/{event_id}/occurrences/{occurrence_key}'
const NEW_KINDS: [change: string, parameter: string, operation: string][] = [
  [`${PATCH_OCCURRENCE} 200.data has a kind 4`, 'scope', PATCH_OCCURRENCE],
  [`${PATCH_OCCURRENCE} 200.data has a kind 5`, 'scope', PATCH_OCCURRENCE],
]

test('nothing that the last released document promises has changed (docs/versioning.md)', () =>
  withDocument((document) => {
    const before = released()
    const onlyWithNew = ([parameter, operation]: [string, string]): boolean => {
      const [method, path] = operation.split(' ') as [string, string]
      return !before.paths[path]![method.toLowerCase()]!.parameters!.some(({ name }) => name === parameter)
    }
    const allowed = NEW_KINDS.filter(([, ...more]) => onlyWithNew(more)).map(([change]) => change)
    const found = findBreakingChanges(before, document as ApiDocument)
    assert.deepEqual(found.sort(), allowed.sort())
  }))

test('a breaking change is found in every part of the document', () => {
  const changes: [string, (document: Json) => unknown][] = [
    ['DELETE /events/{event_id} is gone', (now) => delete now.paths['/events/{event_id}'].delete],
    ['GET /events has no query category', (now) => now.paths['/events'].get.parameters.splice(7, 1)],
    [
      'GET /events query per_page has a stricter maximum',
      ({ paths }) => lower(paths['/events'].get.parameters, 'per_page'),
    ],
    ['POST /events body requires location', ({ components }) => components.schemas.NewEvent.required.push('location')],
    ['POST /events body has no category', ({ components }) => delete components.schemas.NewEvent.properties.category],
    ['POST /events body.title cannot be string', ({ components }) => retype(components.schemas.NewEvent, 'title')],
    [
      'POST /events body.status cannot be tentative',
      ({ components }) => without(components.schemas.NewEvent, 'status'),
    ],
    ['POST /events 201 has no Location', (now) => delete now.paths['/events'].post.responses[201].headers.Location],
    ['GET /public/events 304', (now) => delete now.paths['/public/events'].get.responses[304]],
    ['has no location', ({ components }) => delete components.schemas.PublicEvent.properties.location],
    ['may lack start', ({ components }) => components.schemas.MaskedEvent.required.splice(2, 1)],
    ['.end may be null', ({ components }) => retype(components.schemas.SidebarEvent, 'end', ['string', 'null'])],
    ['does not take token', (now) => now.paths['/events'].post.security.pop()],
    ['is not application/merge-patch+json', (now) => dropMergePatch(now.paths['/events/{event_id}'].patch)],
    ['the server /api-root/calendar/v1 is gone', (now) => Object.assign(now.servers[0], { url: '/api-root/v1' })],
    [
      'POST /events 422 has no code idempotency_key_reuse',
      (now) => codesOf(now.paths['/events'].post.responses[422]).shift(),
    ],
    ['GET /events does not answer 422', (now) => delete now.paths['/events'].get.responses[422]],
    ['POST /events body.category has another pattern', addTo('NewEvent', 'category', { pattern: '^[a-z]+$' })],
    ['POST /events body.uid has another pattern', addTo('NewEvent', 'uid', { pattern: '^[a-z]+$' })],
    ['POST /events body.title has another format', addTo('NewEvent', 'title', { format: 'email' })],
    ['POST /events body.rdates has a stricter minItems', addTo('NewEvent', 'rdates', { minItems: 1 })],
    ['POST /events body.rdates has another uniqueItems', addTo('NewEvent', 'rdates', { uniqueItems: true })],
    ['does not tell its kinds by visibility', (now) => removeAll(now, 'discriminator')],
    ['does not tell its kinds by visibility: private', (now) => removeAll(now, 'private')],
  ]
  const before = released()
  assert.deepEqual(findBreakingChanges(before, structuredClone(before)), [])
  for (const [expected, change] of changes) {
    const after = structuredClone(before)
    change(after)
    const found = findBreakingChanges(before, after)
    assert.ok(
      found.some((one) => one.includes(expected.replace(/ 304$/, ' does not answer 304'))),
      `${expected}: ${found.join(', ')}`,
    )
  }
  const grown = structuredClone(before) as Json
  grown.paths['/new'] = {}
  grown.components.schemas.PublicEvent.properties.colour = { type: 'string' }
  grown.components.schemas.NewEvent.properties.colour = { type: 'string' }
  grown.paths['/events'].get.parameters.push({ name: 'colour', in: 'query', schema: { type: 'string' } })
  assert.deepEqual(findBreakingChanges(before, grown), [])
  const announced = structuredClone(before) as Json
  announced.paths['/public/categories'].get.deprecated = true
  announced.components.schemas.SidebarEvent.properties.end.deprecated = true
  const cleared = structuredClone(announced)
  delete cleared.paths['/public/categories']
  delete cleared.components.schemas.SidebarEvent.properties.end
  cleared.components.schemas.SidebarEvent.required = ['id']
  const found = findBreakingChanges(announced, cleared)
  assert.ok(found.length > 0 && found.every((one) => !/categories|end$/.test(one)), found.join())
})

const codesOf = ({ content }: Json): string[] =>
  content['application/json'].schema.allOf[1].properties.error.properties.code.enum

const addTo =
  (schema: string, property: string, facts: object) =>
  ({ components }: Json): unknown =>
    Object.assign(components.schemas[schema].properties[property], facts)

function removeAll(value: unknown, key: string): void {
  if (typeof value !== 'object' || value === null) return
  delete (value as Json)[key]
  for (const inner of Object.values(value)) removeAll(inner, key)
}

const lower = (parameters: Json[], name: string): void => {
  parameters.find((parameter) => parameter.name === name).schema.maximum = 100
}
const retype = ({ properties }: Json, name: string, type: string | string[] = 'integer'): void => {
  properties[name].type = type
}
const without = ({ properties }: Json, name: string): void => {
  properties[name].enum = properties[name].enum.filter((value: unknown) => value !== 'tentative')
}
const dropMergePatch = ({ requestBody }: Json): void => {
  delete requestBody.content['application/merge-patch+json']
}
