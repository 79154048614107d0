// Settings chosen at first run: name, zone and week start, applied at once, on other nodes soon, below the environment.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { offerSetupCode } from '../../../src/actions/accounts/accounts.ts'
import { reindex } from '../../../src/actions/maintenance/reindex.ts'
import { refreshSettings } from '../../../src/actions/settings/live-settings.ts'
import { openContext } from '../../../src/boot.ts'
import { loadConfig } from '../../../src/config.ts'
import { runCommand } from '../../support/processes/process.ts'
import { type Engine, forEachEngine, makePlace } from '../../support/storage/engines.ts'
import { openWorld, type World } from '../../support/world.ts'

const person = { email: 'first@example.org', password: 'a long enough password' }
const choices = { site_name: 'Käsedorf & Söhne', timezone: 'America/New_York', week_start: 'sunday' }

/** Nodes on one empty database. */
async function withEmptyNodes(
  engine: Engine,
  settings: Record<string, string>[],
  story: (...nodes: World[]) => Promise<void>,
): Promise<void> {
  const place = await makePlace(engine)
  const nodes: World[] = []
  try {
    for (const own of settings) nodes.push(await openWorld(engine, place, { place, settings: own }))
    await story(...nodes)
  } finally {
    for (const node of nodes) await node.app.close()
    await place.remove()
  }
}

/** Every response that shows one of the three, requested anonymously. */
async function seenOf({ anonymous, app }: World): Promise<object> {
  const feed = (await anonymous.get('/public/calendar.ics')).text
  const page = (await anonymous.send({ method: 'GET', url: `${app.site.root}/` })).text
  const week = (await anonymous.get('/public/events?view=week')).body.meta
  return {
    feed: /^NAME:(.*)\r$/m.exec(feed)?.[1],
    feedZone: /^X-WR-TIMEZONE:(.*)\r$/m.exec(feed)?.[1],
    title: /<title>(.*)<\/title>/.exec(page)?.[1],
    facts: ['name', 'timezone', 'week_start'].map(
      (name) => JSON.parse(/id="site">(.*?)<\/script>/.exec(page)![1]!)[name],
    ),
    sidebarZone: (await anonymous.get('/public/sidebar-events')).body.meta.timezone,
    week: week.range.from,
  }
}

const BEFORE = {
  feed: 'Daybook',
  feedZone: 'Europe/London',
  title: 'July 2026 – Daybook',
  facts: ['Daybook', 'Europe/London', 0],
  sidebarZone: 'Europe/London',
  week: '2026-07-06T00:00:00+01:00',
}

const AFTER = {
  feed: 'Käsedorf & Söhne',
  feedZone: 'America/New_York',
  title: 'July 2026 – Käsedorf &amp; Söhne',
  facts: ['Käsedorf & Söhne', 'America/New_York', 6],
  sidebarZone: 'America/New_York',
  week: '2026-07-05T00:00:00-04:00',
}

/** A date without a zone, as other programs write it. */
const FESTIVAL = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//a test',
  ...['BEGIN:VEVENT', 'UID:festival', 'DTSTAMP:20260101T000000Z', 'DTSTART;VALUE=DATE:20260714', 'CLASS:PUBLIC'],
  ...['SUMMARY:Festival', 'END:VEVENT', 'END:VCALENDAR', ''],
].join('\r\n')

forEachEngine('chosen settings apply at once, to cached responses and to commands', (engine) =>
  withEmptyNodes(engine, [{}], async (world) => {
    const { app, anonymous, as, place } = world
    assert.deepEqual(await seenOf(world), BEFORE)
    const code = await offerSetupCode(app.ctx)
    const answer = await anonymous.post('/setup', { ...person, ...choices, code })
    assert.equal(answer.status, 201)
    assert.deepEqual(answer.body.data.site, choices)
    assert.deepEqual(await seenOf(world), AFTER)
    const admin = as(person.email, person.password)
    const made = await admin.creates({ title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
    assert.equal(made.start, '2026-07-14T09:00:00-04:00')
    await anonymous.post('/users/register', { ...person, email: 'new@example.org', display_name: 'New' })
    await app.deliverMail()
    const mails = readdirSync(join(app.ctx.config.dataDir, 'mail'))
    assert.match(readFileSync(join(app.ctx.config.dataDir, 'mail', mails[0]!), 'utf8'), /^From: =\?UTF-8\?/m)
    const exported = runCommand(['export', 'all.ics'], place.folder, place.settings)
    assert.equal(exported.code, 0, exported.stderr)
    assert.match(readFileSync(join(place.folder, 'all.ics'), 'utf8'), /^X-WR-TIMEZONE:America\/New_York\r$/m)
  }),
)

forEachEngine('events without a zone of their own follow a change of the calendar’s zone', (engine) =>
  withEmptyNodes(engine, [{}], async (world) => {
    const { app, anonymous, place } = world
    const imported = runCommand(['import', '-'], place.folder, place.settings, FESTIVAL)
    assert.equal(imported.code, 0, imported.stderr)
    const list = async () => (await anonymous.get('/public/events')).body.data
    assert.deepEqual(
      (await list()).map((event: { start: string }) => event.start),
      ['2026-07-14T00:00:00+01:00'],
    )
    await anonymous.post('/setup', { ...person, ...choices, code: await offerSetupCode(app.ctx) })
    assert.deepEqual(
      (await list()).map((event: { start: string }) => event.start),
      ['2026-07-14T00:00:00-04:00'],
    )
    assert.deepEqual(await reindex(app.ctx), { checked: 1, changed: 0, unreadable: [] })
  }),
)

forEachEngine('another node follows the chosen settings and keeps no older response; a restart reads them', (engine) =>
  withEmptyNodes(engine, [{}, {}], async (one, two) => {
    assert.deepEqual(await seenOf(two), BEFORE)
    const code = await offerSetupCode(one.app.ctx)
    assert.equal((await one.anonymous.post('/setup', { ...person, ...choices, code })).status, 201)
    // Until it follows, the other node answers with the old settings, and must not keep that response.
    await seenOf(two)
    await refreshSettings(two.app.ctx)
    assert.deepEqual(await seenOf(two), AFTER)
    const revision = await revisionOf(two)
    await refreshSettings(two.app.ctx)
    assert.equal(await revisionOf(two), revision, 'known settings change nothing')
    const { place } = one
    const ctx = await openContext(loadConfig({ ...place.settings, DAYBOOK_LOG_LEVEL: 'silent' }, place.folder))
    assert.equal(ctx.config.siteName, choices.site_name)
    await ctx.storage.close()
  }),
)

forEachEngine('the environment and the settings file win over what was chosen', (engine) =>
  withEmptyNodes(engine, [{ DAYBOOK_SITE_NAME: 'Town', DAYBOOK_WEEK_START: 'wednesday' }], async (world) => {
    const code = await offerSetupCode(world.app.ctx)
    const answer = await world.anonymous.post('/setup', { ...person, ...choices, code })
    assert.deepEqual(answer.body.data.site, { ...choices, site_name: 'Town', week_start: 'wednesday' })
    const { origins } = world.app.ctx.config
    assert.deepEqual(
      [origins.site_name, origins.timezone, origins.week_start],
      ['environment', 'database', 'environment'],
    )
  }),
)

forEachEngine('invalid choices are all reported at once, and do not use up the code', (engine) =>
  withEmptyNodes(engine, [{}], async ({ app, anonymous }) => {
    const code = await offerSetupCode(app.ctx)
    const send = (change: object) => anonymous.post('/setup', { ...person, code, ...change })
    for (const [change, field, problem] of [
      [{ site_name: '' }, '/site_name', 'too_short'],
      [{ site_name: '   ' }, '/site_name', 'invalid_format'],
      [{ site_name: 'a\nBcc: b@example.org' }, '/site_name', 'invalid_format'],
      [{ site_name: 'x'.repeat(101) }, '/site_name', 'too_long'],
      [{ timezone: 'Mars/Olympus' }, '/timezone', 'timezone_unknown'],
      [{ week_start: 'moonday' }, '/week_start', 'not_allowed'],
      [{ week_start: 1 }, '/week_start', 'invalid_type'],
    ] as const) {
      const answer = await send(change)
      assert.equal(answer.status, 422, JSON.stringify(change))
      const found = answer.body.error.details.fields.map((entry: { field: string; code: string }) => entry)
      assert.deepEqual([found[0].field, found[0].code], [field, problem])
    }
    const several = await send({ site_name: '\u0007', timezone: 'x', email: 'nobody' })
    assert.deepEqual(
      several.body.error.details.fields.map((entry: { field: string }) => entry.field),
      ['/site_name', '/timezone', '/email'],
    )
    assert.equal((await send({})).status, 201)
    assert.equal(app.ctx.config.siteName, 'Daybook', 'nothing chosen, nothing changed')
    assert.equal((await send({ site_name: 'Mine now', email: 'x@example.org' })).status, 422)
    await refreshSettings(app.ctx)
    assert.equal(app.ctx.config.siteName, 'Daybook')
  }),
)

async function revisionOf({ app }: World): Promise<number> {
  const query = app.ctx.storage.reads.selectFrom('calendar').select('revision')
  return (await query.executeTakeFirstOrThrow()).revision
}
