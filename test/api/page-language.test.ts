// The language of pages: by address, by Accept-Language, or the calendar's own; cached responses are never mixed up.
import assert from 'node:assert/strict'
import diagnosticsChannel from 'node:diagnostics_channel'
import type { ApiResponse } from '../support/http/api-response.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { ask, type World, withWorld } from '../support/world.ts'

const supper = { title: 'Supper', start: '2026-07-18T18:30', end: '2026-07-18T22:00', visibility: 'public' }

const pageAt = ({ anonymous }: World, url: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  anonymous.send({ method: 'GET', url, headers: { accept: 'text/html', ...headers } })

const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }

const languageIn = ({ text }: ApiResponse): string | undefined => /<html lang="([^"]*)">/.exec(text)?.[1]

forEachEngine('the page of an event is in the language that the reader’s browser names', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates({ ...supper, rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA;COUNT=3' })
    const own = await pageAt(world, `/events/${id}`)
    assert.equal(languageIn(own), 'en-GB')
    assert.match(own.text, /Repeats every second Saturday, 3 times/)
    const page = await pageAt(world, `/events/${id}`, german)
    assert.equal(page.status, 200)
    assert.equal(languageIn(page), 'de')
    assert.equal(page.headers['content-language'], 'de')
    assert.equal(page.headers.vary, 'Accept-Encoding, Accept-Language')
    assert.match(page.text, /Wiederholung: jeden zweiten Samstag, 3-mal/)
    assert.match(page.text, />Samstag, 18\. Juli 2026, 18:30 bis 22:00<\/time>/)
    assert.match(
      page.text,
      new RegExp(`<link rel="alternate" hreflang="de" href="http://localhost:8080/events/${id}\\?lang=de">`),
    )
    assert.match(
      page.text,
      new RegExp(`<link rel="alternate" hreflang="x-default" href="http://localhost:8080/events/${id}">`),
    )
    // The tag of one language is not that of another.
    const tag = String(own.headers.etag)
    assert.equal((await pageAt(world, `/events/${id}`, { ...german, 'if-none-match': tag })).status, 200)
    const known = await pageAt(world, `/events/${id}`, { ...german, 'if-none-match': String(page.headers.etag) })
    assert.equal(known.status, 304)
    assert.equal(known.headers.vary, 'Accept-Encoding, Accept-Language')
    // The address comes first; what is not offered does not count.
    assert.equal(languageIn(await pageAt(world, `/events/${id}?lang=en-US`, german)), 'en-US')
    assert.equal(languageIn(await pageAt(world, `/events/${id}?lang=tlh`, german)), 'de')
    assert.equal(languageIn(await pageAt(world, `/events/${id}?lang=de&lang=en-US`)), 'en-GB')
  }),
)

forEachEngine('the fast path sends each reader the page in their language', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates(supper)
    const url = `/events/${id}`
    const read = async (headers: Record<string, string>) => {
      const { payload } = await ask(world.app, { url, headers: { accept: 'text/html', ...headers } })
      return /<html lang="([^"]*)">/.exec(payload)?.[1]
    }
    const readAll = async (): Promise<void> => {
      for (let i = 0; i < 3; i++) {
        assert.equal(await read(german), 'de')
        assert.equal(await read({}), 'en-GB')
        assert.equal(await read({ 'accept-language': 'en-US' }), 'en-US')
      }
    }
    await readAll()
    let handled = -1
    const count = (): void => {
      handled += 1
    }
    diagnosticsChannel.subscribe('tracing:fastify.request.handler:start', count)
    // A hundred requests a second are traced, and do not take the fast path.
    for (let tries = 0; tries < 10 && handled !== 0; tries++) {
      const urls = Array.from({ length: 101 }, (_, i) => `${world.app.site.base}/public/categories?n=${i}`)
      await Promise.all(urls.map((one) => ask(world.app, { url: one })))
      handled = 0
      await readAll()
    }
    diagnosticsChannel.unsubscribe('tracing:fastify.request.handler:start', count)
    assert.equal(handled, 0)
  }),
)

forEachEngine('a private event has the words of the language, and nothing of its own in any', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates({ ...supper, title: 'Secret', visibility: 'private' })
    const page = await pageAt(world, `/events/${id}`, german)
    assert.match(page.text, /<h1>Private Veranstaltung<\/h1>/)
    assert.doesNotMatch(page.text, /Secret|hreflang="x-default"/)
    assert.equal(page.headers['x-robots-tag'], 'noindex')
  }),
)

forEachEngine('the pages of the app say their language, and load its words with the app', (engine) =>
  withWorld(engine, async (world) => {
    const page = await pageAt(world, '/', german)
    assert.equal(languageIn(page), 'de')
    assert.equal(page.headers['content-language'], 'de')
    assert.match(String(page.headers.vary), /Accept-Language/)
    assert.match(page.text, /<link rel="alternate" hreflang="en-US" href="http:\/\/localhost:8080\/\?lang=en-US">/)
    const preloaded = [...page.text.matchAll(/<link rel="modulepreload" href="([^"]+)">/g)].map(([, path]) => path!)
    const files = await Promise.all(preloaded.map((url) => world.anonymous.send({ method: 'GET', url })))
    assert.ok(files.some(({ text }) => text.includes('Zum Inhalt springen')))
    assert.ok(!files.some(({ text }) => text.includes('Skip to content')))
    assert.equal(languageIn(await pageAt(world, '/sign-in')), 'en-GB')
    assert.equal(languageIn(await pageAt(world, '/sign-in?lang=de')), 'de')
    assert.equal(languageIn(await pageAt(world, '/nowhere', german)), 'de')
    assert.equal(languageIn(await pageAt(world, '/frame', german)), 'de')
  }),
)

forEachEngine('the calendar’s own language is for readers whose browser names none that is offered', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates(supper)
    const finnish = { 'accept-language': 'fi' }
    assert.equal(languageIn(await pageAt(world, `/events/${id}`, finnish)), 'en-GB')
    const { version } = (await world.admin.get('/admin/settings')).body.meta
    const changed = await world.admin.patch('/admin/settings', { language: 'de', version })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(languageIn(await pageAt(world, `/events/${id}`, finnish)), 'de')
    assert.equal(languageIn(await pageAt(world, '/')), 'de')
    assert.match((await world.anonymous.send({ method: 'GET', url: '/feed.xml' })).text, /xml:lang="de"/)
    const refused = await world.admin.patch('/admin/settings', { language: 'tlh', version: version + 1 })
    assert.equal(refused.status, 422, refused.text)
  }),
)

const titleIn = ({ text }: ApiResponse): string | undefined => /<title>([^<]*)<\/title>/.exec(text)?.[1]

forEachEngine('the calendar is written in the language of the request, each cached by itself', (engine) =>
  withWorld(engine, async (world) => {
    await world.writer.creates(supper)
    await world.writer.creates({
      ...supper,
      title: 'Secret',
      start: '2026-07-19T10:00',
      end: '2026-07-19T11:00',
      visibility: 'private',
    })
    const url = '/?view=list&date=2026-07-15'
    for (let i = 0; i < 2; i++) {
      const page = await pageAt(world, url, german)
      assert.deepEqual([languageIn(page), page.headers['content-language']], ['de', 'de'])
      assert.equal(page.headers.vary, 'Accept-Encoding, Accept-Language')
      assert.match(page.text, />Samstag, 18\. Juli<\/a>/)
      assert.match(page.text, /Private Veranstaltung/)
      assert.match(page.text, /<meta property="og:locale" content="de_DE">/)
      assert.doesNotMatch(page.text, /Secret|Private Event|[?&;]lang=de&/)
      const own = await pageAt(world, url)
      assert.match(own.text, />Saturday 18 July<\/a>/)
      assert.notEqual(own.headers.etag, page.headers.etag)
      assert.match((await pageAt(world, url, { 'accept-language': 'en-US' })).text, />Saturday, July 18<\/a>/)
    }
    assert.equal(titleIn(await pageAt(world, '/?view=month&date=2026-07-15&lang=fr')), 'Juillet 2026 – Daybook')
    assert.equal(
      titleIn(await pageAt(world, '/?view=day&date=2026-07-15&lang=cy')),
      'Dydd Mercher 15 Gorffennaf 2026 – Daybook',
    )
  }),
)

forEachEngine('links and forms of the calendar keep a language that its address chose', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates({ ...supper, category: 'Music' })
    const address = 'http://localhost:8080/?view=list&amp;date=2026-07-15'
    const { text } = await pageAt(world, '/?view=list&date=2026-07-15&lang=de')
    assert.match(text, /href="\/\?view=day&amp;date=2026-07-18&amp;lang=de"/)
    assert.match(text, new RegExp(`href="/events/${id}\\?lang=de"`))
    assert.equal(text.match(/<input type="hidden" name="lang" value="de">/g)?.length, 2)
    // The page of a language is canonical at itself, or search engines ignore that others name it.
    assert.ok(text.includes(`<link rel="canonical" href="${address}&amp;lang=de">`))
    assert.ok(text.includes(`<link rel="alternate" hreflang="de" href="${address}&amp;lang=de">`))
    assert.ok(text.includes(`<link rel="alternate" hreflang="x-default" href="${address}">`))
    assert.ok(text.includes(`<link rel="alternate" hreflang="pl" href="${address}&amp;lang=pl">`))
    assert.ok(text.includes('<a href="/?view=list&amp;date=2026-07-15&amp;lang=pl" hreflang="pl" lang="pl">Polski</a>'))
    const event = await pageAt(world, `/events/${id}?lang=de`)
    assert.match(event.text, /href="\/\?date=2026-07-18&amp;event=\w+&amp;lang=de"/)
    assert.match(event.text, new RegExp(`rel="canonical" href="http://localhost:8080/events/${id}\\?lang=de"`))
    assert.match(event.text, new RegExp(`property="og:url" content="http://localhost:8080/events/${id}"`))
    assert.match((await pageAt(world, `/events/${id}`, german)).text, new RegExp(`canonical" href="[^"]+/${id}"`))
    assert.doesNotMatch((await pageAt(world, `/events/${id}`, german)).text, /event=\w+&amp;lang=/)
  }),
)

forEachEngine('a card is in the language of its reader; pictures and oEmbed are the same for all', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates(supper)
    const card = await pageAt(world, `/events/${id}/card`, german)
    assert.equal(languageIn(card), 'de')
    assert.match(card.text, /Samstag, 18\. Juli 2026, 18:30 bis 22:00/)
    assert.equal(languageIn(await pageAt(world, `/events/${id}/card`)), 'en-GB')
    const pictureIn = ({ text }: ApiResponse): string | undefined => /og:image" content="([^"]+)"/.exec(text)?.[1]
    const [page, own] = [await pageAt(world, `/events/${id}`, german), await pageAt(world, `/events/${id}`)]
    assert.equal(pictureIn(page), pictureIn(own))
    const oembed = await pageAt(world, `/oembed?url=http://localhost:8080/events/${id}`, german)
    assert.match(oembed.body.html, /Saturday 18 July 2026/)
  }),
)
