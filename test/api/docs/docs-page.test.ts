// The API manual page: it has everything the OpenAPI document has, escapes all text, and loads nothing.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { docsPage } from '../../../src/api/docs/docs-page.ts'
import { listOperations, type OpenApiDocument } from '../../../src/api/docs-page/document.ts'
import { type App, buildApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { errors, fieldCodes } from '../../../src/errors.ts'

test('every operation, path, schema and code is on the page', async () => {
  await withApp(async (app) => {
    const document = await readDocument(app)
    const { html } = docsPage(document)
    const operations = listOperations(document)
    assert.ok(operations.length > 10)
    for (const { path, operation } of operations) {
      assert.ok(html.includes(`id="${operation.operationId}"`), operation.operationId)
      assert.ok(html.replaceAll('<wbr>', '').includes(`<code class="path">${path}</code>`), path)
      for (const { name } of operation.parameters ?? []) assert.ok(html.includes(`<code>${name}</code>`), name)
    }
    for (const name of Object.keys(document.components?.schemas ?? {}))
      assert.ok(html.includes(`id="schema-${name}"`), name)
    for (const code of Object.keys({ ...errors, ...fieldCodes })) assert.ok(html.includes(`<code>${code}</code>`), code)
  })
})

test('links lead to places on the page or to the OpenAPI document, and nothing is loaded', async () => {
  await withApp(async (app) => {
    const { html } = docsPage(await readDocument(app))
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
    assert.equal(new Set(ids).size, ids.length)
    for (const [, target = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (target === `${app.site.base}/openapi.json`) continue
      assert.ok(target.startsWith('#') && ids.includes(target.slice(1)), target)
    }
    assert.doesNotMatch(html, /<(?:script|img|link|iframe)\b| style=| on\w+=|@import|url\(/i)
  })
})

test('the Content-Security-Policy allows exactly the style that is in the page', async () => {
  await withApp(async (app) => {
    const answer = await app.server.inject({ url: `${app.site.base}/docs` })
    assert.equal(answer.statusCode, 200)
    const styles = [...answer.body.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text]) => text!)
    const { style, script } = docsPage(await readDocument(app))
    assert.deepEqual(styles, [style])
    assert.equal(script, '')
    const hash = createHash('sha256').update(styles[0]!).digest('base64')
    assert.ok(String(answer.headers['content-security-policy']).includes(`style-src 'sha256-${hash}'`))
  })
})

test('a hostile document stays text', () => {
  const evil = `</style><script>alert(1)</script><img src=x onerror="x()">'\``
  const { html } = docsPage(hostileDocument(evil))
  assert.doesNotMatch(html, /<script|<img|onerror="/i)
  assert.equal(html.match(/<\/style>/g)?.length, 1)
  assert.ok(html.includes('&lt;script&gt;alert(1)&lt;/script&gt;'))
})

test('the shell example escapes quotes inside the body', () => {
  const document = hostileDocument("it's")
  assert.ok(docsPage(document).html.includes(`it&#39;\\&#39;&#39;s`))
})

/** One operation with the text in every place that the page shows. */
function hostileDocument(text: string): OpenApiDocument {
  const schema = {
    type: 'object',
    description: text,
    properties: { [text]: { type: text, description: text, enum: [text], format: text, examples: [text] } },
    required: [text],
    examples: [{ [text]: text }],
  }
  const operation = {
    operationId: text,
    summary: text,
    description: text,
    parameters: ['path', 'query', 'header'].map((place) => ({ name: text, in: place, description: text, schema })),
    requestBody: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${text}` } } } },
    responses: {
      [text]: { description: text, content: { [text]: { schema, examples: { [text]: { value: text } } } } },
      200: { description: text, content: { [text]: { schema: { properties: { data: { $ref: text } } } } } },
    },
  }
  return {
    info: { title: text, version: text, description: text },
    servers: [{ url: text }],
    paths: { [`/${text}`]: { [text]: operation } },
    components: { schemas: { [text]: schema } },
  }
}

const readDocument = async (app: App): Promise<OpenApiDocument> =>
  (await app.server.inject({ url: `${app.site.base}/openapi.json` })).json()

async function withApp(work: (app: App) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-docs-'))
  const app = await buildApp(loadConfig({ DAYBOOK_DATA_DIR: folder }, folder))
  try {
    await work(app)
  } finally {
    await app.close()
    rmSync(folder, { recursive: true })
  }
}
