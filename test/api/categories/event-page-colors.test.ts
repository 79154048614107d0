// The page of an event shows its category in the colour that administrators chose, allowed by its hash.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { categoryClass } from '../../../src/domain/calendar/tones.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { withWorld } from '../../support/world.ts'

const event = (category: string, visibility = 'public') => ({
  title: 'Rehearsal',
  start: '2026-07-14T19:00',
  end: '2026-07-14T21:00',
  visibility,
  category,
})

forEachEngine('the page of an event has the colour of its public category, and follows it', (engine) =>
  withWorld(engine, async ({ admin, writer, anonymous }) => {
    const { id } = await writer.creates(event('music'))
    const read = async (of = id) => {
      const page = await anonymous.send({ method: 'GET', url: `/events/${of}`, headers: { accept: 'text/html' } })
      assert.equal(page.status, 200)
      const sheet = /<style>([\s\S]*?)<\/style>/.exec(page.text)![1]!
      const hash = createHash('sha256').update(sheet).digest('base64')
      assert.ok(String(page.headers['content-security-policy']).includes(`style-src 'sha256-${hash}';`))
      return { ...page, sheet }
    }
    const plain = await read()
    assert.match(plain.text, />music<\/span>/)
    assert.doesNotMatch(plain.sheet, /\.cat-/)
    const made = await admin.post('/admin/categories', { name: 'Music', color: '#ffd400' })
    const { color_light, color_dark } = made.body.data
    const colored = await read()
    assert.notEqual(colored.headers.etag, plain.headers.etag)
    assert.ok(
      colored.sheet.includes(`.${categoryClass('Music')}{--ink-of-event:light-dark(${color_light},${color_dark})`),
    )
    assert.ok(colored.text.includes(`class="tone ${categoryClass('music')}"`))
    const path = `/admin/categories/${made.body.data.id}`
    await admin.patch(path, { color: '#0000ff', version: 1 })
    assert.notEqual((await read()).sheet, colored.sheet)
    // Of a private event and of an internal category nothing is there, whatever the colour is.
    const hidden = await writer.creates(event('music', 'private'))
    assert.doesNotMatch((await read(hidden.id)).text, /cat-|music/i)
    await admin.patch(path, { visibility: 'internal', version: 2 })
    const closed = await read()
    assert.doesNotMatch(closed.text, /cat-|music/i)
    await admin.patch(path, { color: '#00ff00', version: 3 })
    assert.equal((await read()).headers.etag, closed.headers.etag)
  }),
)
