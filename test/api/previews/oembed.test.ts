// oEmbed: the answer for an event's address, and the card that other sites show in a frame.
import assert from 'node:assert/strict'
import { SaxesParser } from 'saxes'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { filterAsWordPress, loadsHostScript } from '../../support/wordpress.ts'
import { type World, withWorld } from '../../support/world.ts'

const ORIGIN = 'http://localhost:8080'
const fair = {
  title: 'Fair & "ale" <b>',
  location: 'Green',
  start: '2026-07-14T19:00',
  end: '2026-07-14T20:00',
  visibility: 'public',
}

const at = ({ anonymous }: World, url: string): Promise<ApiResponse> => anonymous.send({ method: 'GET', url })

const ask = (world: World, url: string, more: Record<string, string> = {}): Promise<ApiResponse> =>
  at(world, `/oembed?${new URLSearchParams({ url, ...more })}`)

/** The elements inside the root and their texts; fails for what is no XML. */
function fieldsOf(xml: string): Record<string, string> {
  const found: Record<string, string> = {}
  let name = ''
  const parser = new SaxesParser()
  parser.on('opentag', (tag) => {
    name = tag.name
    if (name !== 'oembed') found[name] = ''
  })
  parser.on('text', (text) => {
    if (name in found && text.trim()) found[name] += text
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return found
}

forEachEngine('the address of an event gives a card, as JSON and as XML', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates({ ...fair, rrule: 'FREQ=WEEKLY;COUNT=3' })
    const page = await at(world, `/events/${id}`)
    const [json, xml] = [...page.text.matchAll(/<link rel="alternate" type="([^"]+)\+oembed" href="([^"]+)">/g)].map(
      ([, type, href]) => ({ type, path: href!.replaceAll('&amp;', '&').slice(ORIGIN.length) }),
    )
    assert.deepEqual([json!.type, xml!.type], ['application/json', 'text/xml'])
    const answer = await at(world, json!.path)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    const { html, thumbnail_url: thumbnail, ...fields } = JSON.parse(answer.text)
    assert.deepEqual(fields, {
      version: '1.0',
      type: 'rich',
      provider_name: 'Daybook',
      provider_url: `${ORIGIN}/`,
      title: fair.title,
      cache_age: 3_600,
      width: 600,
      height: 220,
      thumbnail_width: 1_200,
      thumbnail_height: 630,
    })
    assert.match(thumbnail, new RegExp(`^${ORIGIN}/events/${id}/preview\\.png\\?v=[\\w-]{8}$`))
    assert.equal(
      html,
      `<template><blockquote><a href="${ORIGIN}/events/${id}">Fair &amp; &quot;ale&quot; &lt;b&gt;</a>, Tuesday 14 July 2026, 19:00 to 20:00</blockquote></template><iframe src="${ORIGIN}/events/${id}/card" width="600" height="220" title="Fair &amp; &quot;ale&quot; &lt;b&gt;, Tuesday 14 July 2026, 19:00 to 20:00" frameborder="0"></iframe>`,
    )
    const other = await at(world, xml!.path)
    assert.equal(other.headers['content-type'], 'text/xml; charset=utf-8')
    const texts = Object.fromEntries(Object.entries(JSON.parse(answer.text)).map(([name, value]) => [name, `${value}`]))
    assert.deepEqual(fieldsOf(other.text), texts)
    const date = await ask(world, `${ORIGIN}/events/${id}/20260721T190000?utm_source=x#top`)
    assert.match(JSON.parse(date.text).html, /\/20260721T190000\/card" .*Tuesday 21 July 2026/)
    // http for https, as people type it.
    assert.equal((await ask(world, `https://localhost:8080/events/${id}/`)).status, 200)
  }),
)

forEachEngine('a card fits the room there is, and a picture too large for it is not named', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates(fair)
    const small = JSON.parse((await ask(world, `${ORIGIN}/events/${id}`, { maxwidth: '400', maxheight: '100' })).text)
    assert.deepEqual([small.width, small.height, small.thumbnail_url], [400, 100, undefined])
    assert.match(small.html, / width="400" height="100" /)
    const large = JSON.parse((await ask(world, `${ORIGIN}/events/${id}`, { maxwidth: '2000', maxheight: '900' })).text)
    assert.deepEqual([large.width, large.height, large.thumbnail_width], [600, 220, 1_200])
  }),
)

forEachEngine('addresses of nothing and of others are 404, a format that there is not is 501', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates(fair)
    const unknown = [
      `${ORIGIN}/`,
      `${ORIGIN}/events/nowhere`,
      `${ORIGIN}/events/${id}/20260721T190000`,
      `${ORIGIN}/events/${id}/card`,
      `https://other.example/events/${id}`,
      `ftp://localhost:8080/events/${id}`,
      'nonsense',
    ]
    for (const url of unknown) {
      const { status, body } = await ask(world, url)
      assert.deepEqual([status, body.error.code], [404, 'event_not_found'], url)
    }
    const yaml = await ask(world, `${ORIGIN}/events/${id}`, { format: 'yaml' })
    assert.deepEqual([yaml.status, yaml.body.error.code], [501, 'format_not_implemented'])
    assert.equal((await at(world, '/oembed')).status, 422)
    assert.equal((await ask(world, `${ORIGIN}/events/${id}`, { maxwidth: 'wide' })).status, 400)
  }),
)

forEachEngine('P35: the card and the answer of a private event have its time and nothing else', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates({ ...fair, visibility: 'private' })
    const { title, html, thumbnail_url: thumbnail } = JSON.parse((await ask(world, `${ORIGIN}/events/${id}`)).text)
    assert.deepEqual([title, thumbnail], ['Private Event', undefined])
    const card = await at(world, `/events/${id}/card`)
    assert.match(card.text, />Private Event<[\s\S]*Tuesday 14 July 2026, 19:00 to 20:00/)
    for (const text of [html, card.text]) assert.doesNotMatch(text, /Fair|&quot;|Green/)
  }),
)

forEachEngine(
  'the card may be framed by any site, has one script that sends no request, and leads to the page',
  (engine) =>
    withWorld(engine, async (world) => {
      const { id } = await world.writer.creates({ ...fair, status: 'cancelled' })
      const card = await at(world, `/events/${id}/card`)
      const policy = String(card.headers['content-security-policy'])
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'sha256-[^']+'; .*frame-ancestors \*$/)
      assert.equal(card.headers['x-robots-tag'], 'noindex')
      assert.equal(card.headers['set-cookie'], undefined)
      assert.deepEqual(card.text.match(/<script[^>]*>/g), ['<script type="module" src="/event-card.js">'])
      assert.match(card.text, new RegExp(`<a href="${ORIGIN}/events/${id}" target="_blank" rel="noopener">Fair &amp;`))
      assert.match(card.text, /<p class="off">Cancelled<\/p>/)
      const { html } = JSON.parse((await ask(world, `${ORIGIN}/events/${id}`)).text)
      assert.match(html, /<\/a>, Cancelled · Tuesday 14 July 2026.* title="Fair [^"]+, Cancelled · Tuesday/)
      const page = await at(world, `/events/${id}`)
      assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'$/)
    }),
)

forEachEngine('WordPress keeps a link to the page, until the card in its sandbox answers', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates({ ...fair, title: 'Fair </blockquote><iframe src="x"></iframe>' })
    const { html } = JSON.parse((await ask(world, `${ORIGIN}/events/${id}`)).text)
    const kept = filterAsWordPress(html, 'aB3')!
    assert.ok(loadsHostScript(kept))
    assert.match(
      kept,
      new RegExp(`^<blockquote [^>]+><a href="${ORIGIN}/events/${id}">Fair &lt;/blockquote&gt;.*</a>, Tue`),
    )
    assert.match(
      kept,
      new RegExp(`</blockquote><iframe [^>]* src="${ORIGIN}/events/${id}/card#\\?secret=aB3"[^>]*></iframe>$`),
    )
    assert.equal(kept.match(/<iframe/g)!.length, 1)
  }),
)
