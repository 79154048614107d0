// The OpenAPI document: its form, and its facts about this service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errors } from '../../../src/errors.ts'
import { cookieNameOf } from '../../../src/http/guard/cookie.ts'
import type { Json } from '../../support/http/api-response.ts'
import { withWorld } from '../../support/world.ts'

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

/** As Spectral's recommended rules for OpenAPI. */
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
