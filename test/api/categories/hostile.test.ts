// Categories against strangers and odd input: rights, versions, names that look alike, colours, places, hidden names.
import assert from 'node:assert/strict'
import { contrastBetween } from '../../../src/domain/categories/category-colors.ts'
import { PAGE_COLORS } from '../../../src/domain/categories/page-colors.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, type World, withWorld } from '../../support/world.ts'
import { makeCategory, rehearsal } from './rehearsal.ts'

forEachEngine('names that people read as one are one category; each is kept and shown as written', (engine) =>
  withWorld(engine, async ({ admin, writer, anonymous }) => {
    const alike = [
      ['Café', 'Cafe\u0301', 'CAFÉ', 'ca\u200bfe', ' cafe '],
      ['İstanbul', 'istanbul', 'ISTANBUL', 'I\u0307stanbul'],
      ['Straße', 'STRASSE'],
      ['\u202eabc', 'abc', 'a\u2066b\u2069c'],
      ['ﬁlm', 'film', 'ＦＩＬＭ'],
    ]
    for (const [name, ...others] of alike) {
      await makeCategory(admin, { name })
      for (const other of others) {
        const again = await admin.post('/admin/categories', { name: other })
        assert.equal(again.body.error?.code, 'category_exists', `${name} and ${JSON.stringify(other)}`)
      }
    }
    const odd = [
      '<img src=x onerror=alert(1)>',
      'a, b; c\\, d',
      '"quoted" & more',
      "x' or 1=1 --",
      '*/}body{display:none}',
    ]
    for (const name of odd) {
      const { id } = await makeCategory(admin, { name })
      const { id: of } = await writer.creates(rehearsal(name))
      assert.equal((await admin.get('/categories')).body.data.find((one: { id: string }) => one.id === id).name, name)
      for (const url of [`/events/${of}`, '/', `/?category=${encodeURIComponent(name)}`]) {
        const page = await anonymous.send({ method: 'GET', url, headers: { accept: 'text/html' } })
        assert.equal(page.status, 200, url)
        assert.doesNotMatch(page.text, /<img src=x/, url)
        for (const [, sheet] of page.text.matchAll(/<style>([\s\S]*?)<\/style>/g))
          assert.doesNotMatch(sheet!, /body\{display/)
      }
      const found = await anonymous.get(`/public/events?view=month&category=${encodeURIComponent(name)}`)
      assert.equal(found.body.data.length, 1, name)
      const feed = await anonymous.get(`/public/calendar.ics?category=${encodeURIComponent(name)}`)
      const value = name.replace(/[\\;,]/g, (sign) => `\\${sign}`)
      assert.ok(feed.text.replaceAll('\r\n ', '').includes(`\r\nCATEGORIES:${value}\r\n`), name)
    }
  }),
)

forEachEngine('names, colours, descriptions and places that cannot be are refused, each with its field', (engine) =>
  withWorld(engine, async ({ admin }) => {
    const { id } = await makeCategory(admin, { name: 'Music' })
    const refused: [string, object][] = [
      ...[
        '',
        ' ',
        '\u200b',
        '\u202e\u202c',
        'a\nb',
        'a\tb',
        'a\u0000b',
        'x'.repeat(65),
        'x'.repeat(10_000),
        '\ud800',
      ].map((name): [string, object] => ['/name', { name }]),
      ...['', 'red', '#fff', '#12345g', '#ffffff80', 'transparent', 'url(x)', 'red;}b{', '#12345\n'].map(
        (color): [string, object] => ['/color', { color }],
      ),
      ...[-1, 101, 1.5, '1', null].map((position): [string, object] => ['/position', { position }]),
      ...['x'.repeat(201), 'a\nb'].map((description): [string, object] => ['/description', { description }]),
      ...['secret', null, ''].map((visibility): [string, object] => ['/visibility', { visibility }]),
      ['/id', { id: 'mine' }],
      ['/version', { version: 'one' }],
    ]
    for (const [field, body] of refused) {
      const changed = await admin.patch(`/admin/categories/${id}`, { version: 1, ...body })
      assert.equal(changed.status, 422, JSON.stringify(body).slice(0, 80))
      assert.equal(changed.body.error.details.fields[0].field, field, JSON.stringify(body).slice(0, 80))
      if (field === '/version') continue
      const made = await admin.post('/admin/categories', { name: 'Other', ...body })
      assert.equal(made.status, 422, JSON.stringify(body).slice(0, 80))
    }
    assert.equal((await admin.get('/categories')).body.data.length, 1)
  }),
)

forEachEngine('any colour has shades that can be read by day and by night', (engine) =>
  withWorld(engine, async ({ admin }) => {
    for (const color of ['#ffffff', '#000000', '#ffff00', '#0000ff', '#808080', '#fbfaf7', '#12161c', '#FF00FF']) {
      const { color_light, color_dark } = await makeCategory(admin, { name: color, color })
      for (const behind of PAGE_COLORS.light.backgrounds) assert.ok(contrastBetween(color_light, behind) >= 4.5, color)
      for (const behind of PAGE_COLORS.dark.backgrounds) assert.ok(contrastBetween(color_dark, behind) >= 4.5, color)
    }
  }),
)

forEachEngine('only administrators change categories, with their CSRF token and the current version', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer, reader, anonymous } = world
    const { id, etag } = await makeCategory(admin, { name: 'Music' })
    const path = `/admin/categories/${id}`
    const asks: ((client: Client) => Promise<ApiResponse>)[] = [
      (client) => client.get('/admin/categories'),
      (client) => client.post('/admin/categories', { name: 'Other' }),
      (client) => client.patch(path, { color: '#123456', version: 1 }),
      (client) => client.delete(path, { 'if-match': etag }),
    ]
    await world.addPerson('pending@example.org', 'admin', 'pending_approval')
    const strangers = [
      anonymous,
      reader,
      writer,
      world.as('pending@example.org'),
      world.as('admin@example.org', 'wrong'),
    ]
    for (const stranger of strangers)
      for (const ask of asks) assert.ok([401, 403].includes((await ask(stranger)).status))
    const session = await world.signIn('admin@example.org')
    const withoutToken = world.with({ cookie: session.cookie })
    for (const ask of asks.slice(1)) assert.equal((await ask(withoutToken)).status, 403)
    // A name that exists is not told to those who may not see it.
    const known = await writer.patch(path, { version: 1 })
    const unknown = await writer.patch('/admin/categories/none', { version: 1 })
    assert.deepEqual([known.status, known.body.error.code], [unknown.status, unknown.body.error.code])
    const missing = await admin.delete(path)
    assert.equal(missing.body.error.code, 'precondition_required')
    for (const tag of ['"c-2-00000000"', 'nothing'])
      assert.ok([400, 412].includes((await admin.delete(path, { 'if-match': tag })).status), tag)
    assert.equal((await admin.patch(path, { color: '#123456', version: 2 })).status, 412)
    assert.equal((await admin.patch(path, { color: '#123456' }, { 'if-match': etag })).status, 200)
    assert.equal((await admin.patch(path, { color: '#654321' }, { 'if-match': etag })).status, 412)
    assert.equal((await admin.delete(path, { 'if-match': etag })).status, 412)
  }),
)

/** Every public question that takes a category, or that could show one. */
const questionsOf = (name: string): string[] => {
  const of = encodeURIComponent(name)
  return [
    `/public/events?category=${of}`,
    `/public/events?view=month&category=${of}`,
    `/public/events?view=month&category=${of}&category=Music`,
    `/public/events?q=${of}`,
    `/public/events?view=month&q=${of}&category=${of}`,
    `/public/calendar.ics?category=${of}`,
  ]
}

async function answersOf({ anonymous, app }: World, name: string): Promise<string[]> {
  const pages = [
    `/?category=${name}`,
    `/?q=${name}`,
    `/?q=${name}&category=${name}`,
    '/sitemap.xml',
    '/feed.xml',
    '/feed.json',
  ]
  const answers = [
    ...(await Promise.all(questionsOf(name).map((question) => anonymous.get(question)))),
    ...(await Promise.all(pages.map((url) => anonymous.send({ method: 'GET', url: `${app.site.root}${url}` })))),
  ]
  // A page names what was asked for, and gives it a class that is a hash of the name.
  return answers.map(({ status, text, headers: { etag } }) =>
    /<html/.test(text)
      ? `${status} ${text.replaceAll(name, 'NAME').replaceAll(/cat-\w+/g, 'cat')}`
      : `${status} ${etag} ${text.replaceAll(name, 'NAME')}`,
  )
}

forEachEngine('a stranger who asks for an internal name gets what an unknown name gives', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer } = world
    await makeCategory(admin, { name: 'zqboard', visibility: 'internal', description: 'zqtext', color: '#abcdef' })
    await writer.creates(rehearsal('zqboard'))
    await writer.creates(rehearsal('ZQBoard', { rrule: 'FREQ=WEEKLY;COUNT=3' }))
    await writer.creates(rehearsal('zqboard', { visibility: 'private' }))
    await writer.creates(rehearsal('Music'))
    const [known, unknown] = [await answersOf(world, 'zqboard'), await answersOf(world, 'zqothet')]
    for (const [i, answer] of known.entries()) assert.equal(answer, unknown[i], `question ${i}`)
    for (const answer of known) assert.doesNotMatch(answer, /zqtext|abcdef/)
  }),
)
