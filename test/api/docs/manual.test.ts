// Pages of the API manual: complete, linked, searchable, and without markup of the document.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { Script } from 'node:vm'
import { listManualPages } from '../../../src/api/docs/docs.ts'
import { listOperations, type OpenApiDocument } from '../../../src/api/docs-page/document.ts'
import { writeExamples } from '../../../src/api/docs-page/examples.ts'
import { createManual, type Manual } from '../../../src/api/docs-page/manual.ts'
import { writeManualPage } from '../../../src/api/docs-page/page.ts'
import { listManualEntries } from '../../../src/api/docs-page/search-entries.ts'
import { style } from '../../../src/api/docs-page/style.ts'
import { errors, fieldCodes } from '../../../src/errors.ts'
import { searchManual } from '../../../src/words/manual-search.ts'
import { type World, type WorldOptions, withWorld } from '../../support/world.ts'

const PLACE = {
  origin: 'https://calendar.example.org',
  base: '/town/api-root/calendar/v1',
  files: { script: '/town/manual.js', icon: '/town/favicon.svg' },
}

const withManual = (story: (manual: Manual, pages: Map<string, string>) => void): Promise<void> =>
  withWorld('sqlite', async ({ app }) => {
    const manual = createManual(app.openApi() as OpenApiDocument, PLACE)
    story(manual, pagesOf(manual))
  })

/** HTML by slug. */
const pagesOf = (manual: Manual): Map<string, string> =>
  new Map(listManualPages(manual).map((page) => [page.slug, writeManualPage(manual, page)]))

const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)

test('every operation, schema and code is on exactly one page, with its path and parameters', () =>
  withManual((manual, pages) => {
    const operations = listOperations(manual.document)
    assert.ok(operations.length > 60)
    const parts = [...pages].filter(([slug]) => slug !== '')
    const pageWith = (id: string): string => {
      const found = parts.filter(([, html]) => idsOf(html).includes(id)).map(([slug]) => slug)
      assert.equal(found.length, 1, `${id} is on ${found.join(' and ') || 'no page'}`)
      return pages.get(found[0]!)!
    }
    for (const { path, operation } of operations) {
      const html = pageWith(operation.operationId)
      assert.ok(html.replaceAll('<wbr>', '').includes(`<code class="path">${path}</code>`), path)
      for (const { name, in: place } of operation.parameters ?? [])
        assert.ok(idsOf(html).includes(`${operation.operationId}.${place}.${name}`), `${operation.operationId} ${name}`)
    }
    for (const name of Object.keys(manual.document.components?.schemas ?? {})) pageWith(`schema-${name}`)
    for (const code of Object.keys(errors)) pageWith(`code-${code}`)
    for (const code of Object.keys(fieldCodes)) pageWith(`field-${code}`)
  }))

test('every link leads to a place that is there, and pages load only the script and the icon of this site', () =>
  withManual((manual, pages) => {
    const { base, files } = PLACE
    const placesOf = new Map([...pages].map(([slug, html]) => [`${manual.root}${slug && `/${slug}`}`, idsOf(html)]))
    for (const [slug, html] of pages) {
      const ids = idsOf(html)
      assert.equal(new Set(ids).size, ids.length, `an id twice on ${slug}`)
      for (const [, target = ''] of html.matchAll(/ (?:href|src|action)="([^"]*)"/g)) {
        if ([`${base}/openapi.json`, `${manual.root}/search`, files.script, files.icon].includes(target)) continue
        const [path = '', id] = target.split('#')
        const places = path === '' ? ids : placesOf.get(path)
        assert.ok(places && (id === undefined || places.includes(id)), `${slug}: ${target}`)
      }
      assert.equal(html.match(/<script\b/g)?.length, 1)
      assert.doesNotMatch(html, /<(?:img|iframe)\b| style=| on\w+=|@import|url\(/i)
    }
  }))

test('the navigation is the same on every page and marks the page; the pages follow one another', () =>
  withManual((_manual, pages) => {
    const navigationOf = (html: string): string => /<nav class="pages"[\s\S]*?<\/nav>/.exec(html)![0]
    const all = [...pages.values()]
    const unmarked = new Set(all.map((html) => navigationOf(html).replace(' aria-current="page"', '')))
    assert.equal(unmarked.size, 1)
    for (const html of all) assert.equal(navigationOf(html).match(/aria-current="page"/g)?.length, 1)
    const next = (html: string) => / rel="next" href="([^"]+)"/.exec(html)?.[1]
    const linked = [...navigationOf(all[0]!).matchAll(/href="([^"]+)"/g)].map(([, href]) => href)
    assert.deepEqual([linked[0], ...all.map(next)], [...linked, undefined])
  }))

test('links to parts of the manual when it was one page lead to the first page, and from there on', () =>
  withManual((manual, pages) => {
    const first = pages.get('')!
    const chapters = ['signing-in', 'envelope', 'errors', 'changes', 'operations', 'schemas', 'codes']
    for (const id of chapters) assert.ok(idsOf(first).includes(id), id)
    const parts = [
      ...listOperations(manual.document).map(({ operation }) => operation.operationId),
      ...Object.keys(manual.document.components?.schemas ?? {}).map((name) => `schema-${name}`),
    ]
    for (const id of parts) {
      const [, href] = new RegExp(`<li id="${id}"><a class="moved" href="([^"]+)"`).exec(first) ?? []
      assert.equal(href?.split('#')[1], id)
    }
  }))

test('a search finds operations, schemas, parameters, fields and codes, and links to each of them', () =>
  withManual((manual, pages) => {
    const entries = listManualEntries(manual)
    for (const { href, name } of entries) {
      const [slug = '', id = ''] = href.slice(1).split('#')
      assert.ok(idsOf(pages.get(slug) ?? '').includes(id), `${name}: ${href}`)
    }
    const first = (sought: string) => searchManual(entries, sought).entries[0]?.href
    assert.equal(first('list events'), '/events#listEvents')
    assert.equal(first('LISTEVENTS'), '/events#listEvents')
    assert.equal(first('POST /events/bulk'), '/synchronisation#bulkEvents')
    assert.equal(first('TrashEntry'), '/history#schema-TrashEntry')
    assert.equal(first('rate_limited'), '/errors#code-rate_limited')
    assert.equal(first('end_before_start'), '/errors#field-end_before_start')
    assert.equal(first('per_page'), '/public#listPublicEvents.query.per_page')
    assert.equal(first('exdates newevent'), '/events#NewEvent.exdates')
    assert.equal(searchManual(entries, 'list xyzzy').count, 0)
    assert.equal(searchManual(entries, '  ').count, 0)
  }))

test('a search needs no JavaScript: the page has the results, their number, and what was sought', () =>
  withWorld('sqlite', async ({ anonymous }) => {
    const search = async (query: string): Promise<string> => {
      const { status, text } = await anonymous.get(`/docs/search${query}`)
      assert.equal(status, 200)
      return text
    }
    assert.match(await search('?q=idempotency_gone'), /<p>1 result<\/p>[\s\S]*\/docs\/errors#code-idempotency_gone"/)
    assert.match(await search('?q=version'), /\d+ results, of which the first 40 are shown/)
    assert.match(await search('?q=xyzzy'), /Nothing found/)
    assert.doesNotMatch(await search(''), /Nothing found/)
    const evil = await search('?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E')
    assert.equal(evil.match(/<script\b/g)?.length, 1)
    assert.ok(evil.includes('&lt;script&gt;'))
    assert.equal(await search('?q=trash&q=feeds&utm_source=x'), await search('?q=trash'), 'the first counts')
    assert.equal(await search(`?q=${'x'.repeat(5_000)}`), await search(`?q=${'x'.repeat(100)}`), 'the rest is cut off')
    assert.equal((await anonymous.get('/docs/search.json')).body.length > 300, true)
  }))

test('pages are cached by ETag, have one policy, and are the same for everyone', () =>
  withWorld('sqlite', async ({ anonymous, admin }) => {
    for (const path of ['/docs', '/docs/events', '/docs/errors', '/docs/search?q=event', '/docs/search.json']) {
      const { status, headers, text } = await anonymous.get(path)
      assert.equal(status, 200, path)
      assert.equal(headers['cache-control'], 'public, no-cache')
      assert.equal((await anonymous.get(path, { 'if-none-match': String(headers.etag) })).status, 304)
      assert.equal((await anonymous.head(path)).status, 200)
      assert.equal((await admin.get(path)).text, text)
      if (path.endsWith('.json')) continue
      const [sheet] = [...text.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, inner]) => inner)
      assert.equal(sheet, style)
      assert.equal(
        headers['content-security-policy'],
        `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      )
    }
    const missing = await anonymous.get('/docs/nothing-here')
    assert.equal(missing.body.error.code, 'route_not_found')
  }))

const SLUG: WorldOptions = {
  settings: { DAYBOOK_PUBLIC_URL: 'https://calendar.example.org', DAYBOOK_URL_SLUG: 'town' },
}

const readPage = async ({ anonymous }: World, path: string): Promise<string> =>
  (await anonymous.send({ method: 'GET', url: `/town/api-root/calendar/v1/docs${path}` })).text

test('examples have the public address of this server', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const here = 'https://calendar.example.org/town/api-root/calendar/v1'
      assert.ok((await readPage(world, '')).includes(`<code>${here}</code>`))
      const html = (await readPage(world, '/events')).replaceAll('&#39;', "'")
      assert.ok(html.includes(`curl -X POST '${here}/events' \\\n  -u you@example.org`))
      assert.ok(html.includes(`await fetch('${here}/events/5tq0fj1m3v8k2c9r7d6h4n0b1e', {\n  method: 'DELETE'`))
      assert.ok(html.includes(`requests.put(\n    '${here}/events/`))
      assert.match(await readPage(world, '/public'), /data-address="\/town\/api-root\/calendar\/v1\/public\/events"/)
    },
    SLUG,
  ))

test('each example in JavaScript is valid', () =>
  withManual((manual) => {
    for (const listed of listOperations(manual.document)) {
      const { JavaScript = '' } = writeExamples(listed, manual)
      assert.match(JavaScript, /^const response = await fetch\('https:/)
      assert.doesNotThrow(() => new Script(`async () => { ${JavaScript} }`), JavaScript)
    }
  }))

test('only reads that are the same for everyone, and that end, have a form', () =>
  withManual((manual, pages) => {
    const tried = [...pages.values()].flatMap((html) =>
      [...html.matchAll(/<form class="try" data-address="([^"]+)"/g)].map(([, address]) =>
        address!.slice(PLACE.base.length),
      ),
    )
    const expected = listOperations(manual.document)
      .filter(({ method, path }) => method === 'GET' && path.startsWith('/public/') && path !== '/public/stream')
      .map(({ path }) => path)
    assert.deepEqual(tried.sort(), expected.sort())
  }))

test('a hostile document stays text', () => {
  const evil = `</style><script>alert(1)</script><img src=x onerror="x()">'\``
  for (const html of pagesOf(createManual(hostileDocument(evil), { ...PLACE, files: undefined })).values()) {
    assert.doesNotMatch(html, /<script|<img|onerror="/i)
    assert.equal(html.match(/<\/style>/g)?.length, 1)
  }
})

test('the shell example escapes quotes inside the body', () => {
  const [, page = ''] = [...pagesOf(createManual(hostileDocument("it's"), PLACE)).values()]
  assert.ok(page.includes(`it&#39;\\&#39;&#39;s`))
})

/** One operation with the text in every place that the pages show. */
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
    tags: [text],
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
    tags: [{ name: text, description: text }],
    paths: { [`/${text}`]: { [text]: operation }, [`/public/${text}`]: { get: { ...operation, operationId: 'read' } } },
    components: { schemas: { [text]: schema } },
  }
}
