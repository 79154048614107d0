// Preview pictures: what they show, that they are named by it, and that private events have none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPictureMaker, type PictureRefusal } from '../../../src/api/previews/picture-maker.ts'
import type { PreviewCard } from '../../../src/api/previews/preview-card.ts'
import { AppError } from '../../../src/errors.ts'
import { createLog } from '../../../src/ops/log.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

const times = { start: '2026-07-14T19:00', end: '2026-07-14T20:00' }
const choir = { ...times, title: 'Choir', location: 'Hall', visibility: 'public' }

const at = ({ anonymous }: World, url: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  anonymous.send({ method: 'GET', url, headers })

const bytesAt = async ({ app }: World, url: string): Promise<Buffer> =>
  (await app.server.inject({ method: 'GET', url })).rawPayload

/** Width and height, from the first chunk of a PNG. */
const sizeOf = (png: Buffer): number[] => {
  assert.equal(png.toString('latin1', 1, 4), 'PNG')
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

const pictureOf = ({ text }: ApiResponse): string =>
  new URL(/<meta property="og:image" content="([^"]+)">/.exec(text)![1]!).pathname

const imageAddress = ({ text }: ApiResponse): string => /property="og:image" content="([^"]+)"/.exec(text)![1]!

forEachEngine('an event, a date and the calendar have a picture of 1200 × 630 that other sites may show', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates({ ...choir, rrule: 'FREQ=WEEKLY;COUNT=3' })
    const page = await at(world, `/events/${id}`)
    assert.equal(pictureOf(page), `/events/${id}/preview.png`)
    for (const path of [pictureOf(page), `/events/${id}/20260721T190000/preview.png`, '/preview.png']) {
      const answer = await at(world, path)
      assert.equal(answer.status, 200, path)
      assert.equal(answer.headers['content-type'], 'image/png')
      assert.equal(answer.headers['cache-control'], 'public, no-cache')
      assert.equal(answer.headers['cross-origin-resource-policy'], 'cross-origin')
      assert.equal(answer.headers['content-encoding'], undefined)
      assert.deepEqual(sizeOf(await bytesAt(world, path)), [1_200, 630])
      const again = await at(world, path, { 'if-none-match': String(answer.headers.etag) })
      assert.deepEqual([again.status, again.headers['cross-origin-resource-policy']], [304, 'cross-origin'])
      const head = await world.anonymous.send({ method: 'HEAD', url: path })
      assert.deepEqual([head.status, head.headers['content-length']], [200, answer.headers['content-length']])
    }
    const home = await at(world, '/')
    assert.equal(pictureOf(home), '/preview.png')
  }),
)

forEachEngine('a picture and its address change with what it shows, and with nothing else', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const { id } = await writer.creates(choir)
    const path = `/events/${id}/preview.png`
    const page = await at(world, `/events/${id}`)
    const before = await at(world, path)
    const cache = world.app.ctx.metrics.caches.get('pictures')!
    const drawn = cache.counts.misses
    // Another event, and texts that the picture has not.
    await writer.creates({ ...choir, title: 'Band' })
    await writer.patch(`/events/${id}`, { description: 'Bring notes', version: 1 })
    assert.equal((await at(world, path)).headers.etag, before.headers.etag)
    assert.equal(imageAddress(await at(world, `/events/${id}`)), imageAddress(page))
    assert.equal(cache.counts.misses, drawn, 'nothing is drawn again')
    await writer.patch(`/events/${id}`, { title: 'Concert', version: 2 })
    assert.notEqual((await at(world, path)).headers.etag, before.headers.etag)
    assert.notEqual(imageAddress(await at(world, `/events/${id}`)), imageAddress(page))
    assert.equal(cache.counts.misses, drawn + 1)
  }),
)

forEachEngine('P35: a private event has no picture, whatever its words are', (engine) =>
  withWorld(engine, async (world) => {
    const hidden = { ...choir, visibility: 'private', rrule: 'FREQ=WEEKLY;COUNT=3' }
    const { id } = await world.writer.creates(hidden)
    for (const path of [`/events/${id}`, `/events/${id}/20260714T180000Z`, '/events/nowhere']) {
      const answer = await at(world, `${path}/preview.png`)
      assert.deepEqual([answer.status, answer.body.error.code], [404, 'event_not_found'], path)
    }
  }),
)

const card = (title: string): PreviewCard => ({
  site: 'Village',
  title,
  lines: ['Saturday 18 July 2026, 18:30 to 22:00', 'Hall'],
  mark: '',
})

test('any title can be drawn, with characters of any script, and a thread that is idle ends', async () => {
  const maker = createPictureMaker({ idleMs: 1 })
  try {
    const titles = [
      'Choir',
      '🎉🎉',
      'مهرجان',
      '日本語の祭り',
      'x'.repeat(400),
      '</text><b>&"\'',
      'Ŵy Żółć Ηλιο Праздник',
      '',
    ]
    for (const title of titles) assert.deepEqual(sizeOf(await maker.draw(card(title))), [1_200, 630], title)
    // All at once: each gets its own.
    const [one, two, again] = await Promise.all([card('A'), card('B'), card('A')].map((text) => maker.draw(text)))
    assert.ok(one!.equals(again!) && !one!.equals(two!))
    await waitFor('the idle thread to end', async () => !maker.isRunning())
    assert.ok((await maker.draw(card('A'))).equals(one!), 'another thread draws the same')
  } finally {
    await maker.close()
  }
  assert.equal(maker.isRunning(), false)
})

const isRefusal =
  (retryAfter: string | undefined) =>
  (error: unknown): boolean =>
    error instanceof AppError && error.code === 'service_unavailable' && error.headers?.['retry-after'] === retryAfter

test('a picture that takes too long is refused with a time to wait, and the next one is drawn by another thread', async () => {
  const reasons: PictureRefusal[] = []
  const onRefused = (reason: PictureRefusal): void => void reasons.push(reason)
  const slow = createPictureMaker({ maxDrawingMs: 0, onRefused })
  try {
    await assert.rejects(slow.draw(card('A')), isRefusal('60'))
    assert.equal(slow.isRunning(), false)
    await assert.rejects(slow.draw(card('B')), isRefusal('60'))
  } finally {
    await slow.close()
  }
  assert.deepEqual(reasons, ['too_slow', 'too_slow'])
})

test('pictures are refused while the service closes, those being drawn and later ones', async () => {
  const reasons: PictureRefusal[] = []
  const maker = createPictureMaker({ onRefused: (reason) => void reasons.push(reason) })
  const drawing = ['A', 'B'].map((title) => assert.rejects(maker.draw(card(title)), isRefusal(undefined)))
  await maker.close()
  await Promise.all(drawing)
  assert.deepEqual(reasons, ['service_closing'])
  await assert.rejects(maker.draw(card('C')), isRefusal(undefined))
  assert.equal(maker.isRunning(), false)
})

forEachEngine('a picture that is refused is 503 with Retry-After, and a line in the log', (engine) =>
  withWorld(engine, async ({ app, anonymous }) => {
    const lines: string[] = []
    app.ctx.log = createLog('error', (line) => lines.push(line))
    const answer = anonymous.send({ method: 'GET', url: '/preview.png' })
    const { counts } = app.ctx.metrics.caches.get('pictures')!
    await waitFor('the picture to be drawn', async () => counts.misses === 1)
    await app.server.close()
    const { status, body, headers } = await answer
    assert.deepEqual([status, body.error.code, headers['retry-after']], [503, 'service_unavailable', '5'])
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)).map(({ message, reason }) => [message, reason]),
      [['a picture was not drawn', 'service_closing']],
    )
  }),
)
