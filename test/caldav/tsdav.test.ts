// A real CalDAV library (tsdav) over real HTTPS: from an address and an email to events that agree in every protocol.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createDAVClient } from 'tsdav'
import { makeCertificate } from '../support/http/certificate.ts'
import { type Engine, forEachEngine, makePlace } from '../support/storage/engines.ts'
import { basicOf, openWorld, PASSWORD, type World } from '../support/world.ts'
import { rehearsal } from './support/events.ts'

/** A service that listens with its own certificate, which this process trusts as long as it runs. */
async function withHttps(
  engine: Engine,
  settings: Record<string, string>,
  story: (world: World, origin: string) => Promise<void>,
): Promise<void> {
  const { key, certificate } = makeCertificate('localhost')
  const trusted = getCACertificates()
  const place = await makePlace(engine)
  const [keyFile, certificateFile] = [join(place.folder, 'key.pem'), join(place.folder, 'certificate.pem')]
  writeFileSync(keyFile, key)
  writeFileSync(certificateFile, certificate)
  setDefaultCACertificates([...trusted, certificate])
  const world = await openWorld(engine, place, {
    settings: {
      DAYBOOK_PUBLIC_URL: 'https://localhost',
      DAYBOOK_TLS_CERTIFICATE: certificateFile,
      DAYBOOK_TLS_KEY: keyFile,
      ...settings,
    },
  })
  try {
    await world.app.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = world.app.server.server.address() as AddressInfo
    await story(world, `https://localhost:${port}`)
  } finally {
    await world.app.close()
    await place.remove()
    setDefaultCACertificates(trusted)
  }
}

const clientOf = (serverUrl: string, email = 'writer@example.org') =>
  createDAVClient({
    serverUrl,
    credentials: { username: email, password: PASSWORD },
    authMethod: 'Basic',
    defaultAccountType: 'caldav',
  })

for (const [title, settings] of [
  ['', {}],
  [' under a slug', { DAYBOOK_URL_SLUG: 'parish' }],
] as [string, Record<string, string>][])
  forEachEngine(`a client finds the calendar from the bare address and keeps it in sync${title}`, (engine) =>
    withHttps(engine, settings, async (world, origin) => {
      const client = await clientOf(origin)
      const [calendar, ...others] = await client.fetchCalendars()
      assert.ok(calendar)
      assert.equal(others.length, 0)
      assert.deepEqual(calendar.components, ['VEVENT'])

      const sent = rehearsal('rehearsal@example.org', ['RRULE:FREQ=WEEKLY;COUNT=4', 'X-KEPT:yes'])
      const created = await client.createCalendarObject({
        calendar,
        filename: 'rehearsal.ics',
        iCalString: sent,
      })
      assert.equal(created.status, 201)
      const [object] = await client.fetchCalendarObjects({ calendar })
      assert.equal(object!.etag, created.headers.get('etag'))
      // The library removes the last line break; a separate GET has it.
      const headers = { authorization: basicOf('writer@example.org') }
      assert.equal(await (await fetch(object!.url, { headers })).text(), sent)
      assert.equal(object!.data, sent.trim())

      const [listed] = (await world.writer.get('/events')).body.data
      assert.equal(listed.title, 'Rehearsal')
      await world.writer.delete(`/events/${listed.id}/occurrences/20260721T190000`)
      await world.writer.patch(`/events/${listed.id}`, { visibility: 'public', version: 2 })

      const stale = await client.updateCalendarObject({
        calendarObject: { ...object!, data: object!.data.replace('Rehearsal', 'Lost') },
      })
      assert.equal(stale.status, 412)

      const synced = await client.smartCollectionSync({
        collection: { ...calendar, objects: [object!], objectMultiGet: client.calendarMultiGet },
        method: 'webdav',
        detailedResult: true,
      })
      const [updated] = synced.objects.updated
      assert.match(updated!.data, /EXDATE;TZID=Europe\/London:20260721T190000/)
      assert.match(updated!.data, /X-KEPT:yes/)
      assert.notEqual(updated!.etag, object!.etag)

      const changed = await client.updateCalendarObject({
        calendarObject: { ...updated!, data: updated!.data.replace('SUMMARY:Rehearsal', 'SUMMARY:Concert') },
      })
      assert.ok([200, 204].includes(changed.status))
      assert.match((await world.anonymous.get('/public/calendar.ics')).text, /SUMMARY:Concert/)
      const { data } = (await world.anonymous.get('/public/events?from=2026-07-01&to=2026-09-01')).body
      assert.equal(data.length, 3)

      const gone = await client.deleteCalendarObject({
        calendarObject: { url: updated!.url, etag: String(changed.headers.get('etag')) },
      })
      assert.equal(gone.status, 204)
      assert.equal((await world.writer.get(`/events/${listed.id}`)).status, 404)
    }),
  )

forEachEngine('a client with a wrong password gets a challenge, and a pending account gets the reason', (engine) =>
  withHttps(engine, {}, async (world, origin) => {
    await world.addPerson('pending@example.org', 'writer', 'pending_approval')
    const ask = (email: string, password: string) =>
      fetch(`${origin}/caldav/`, {
        method: 'PROPFIND',
        headers: { depth: '0', authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` },
      })
    const wrong = await ask('writer@example.org', 'not the password')
    assert.equal(wrong.status, 401)
    assert.match(String(wrong.headers.get('www-authenticate')), /^Basic realm="/)
    const waiting = await ask('pending@example.org', PASSWORD)
    assert.equal(waiting.status, 403)
    assert.equal((await ask('reader@example.org', PASSWORD)).status, 207)
  }),
)
