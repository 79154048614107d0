// Settings in the browser: live on all nodes, weaker than environment and file, validated, versioned, audited.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { reindex } from '../../../src/actions/maintenance/reindex.ts'
import { createSettingsFollower } from '../../../src/actions/settings/live-settings.ts'
import { openContext } from '../../../src/boot.ts'
import { loadConfig } from '../../../src/config.ts'
import { SETTINGS_POLL_MS } from '../../../src/jobs/settings.ts'
import { CHANGEABLE } from '../../../src/setting-rules.ts'
import { settings } from '../../../src/settings.ts'
import { MAIN } from '../../caldav/support/events.ts'
import type { ApiResponse, Json } from '../../support/http/api-response.ts'
import { davOf } from '../../support/http/dav.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { forEachEngine, makeReadyPlace } from '../../support/storage/engines.ts'
import { type Client, openWorld, type World, withTwoNodes, withWorld } from '../../support/world.ts'

const itemsOf = ({ body }: ApiResponse): Record<string, Json> =>
  Object.fromEntries(body.data.map((item: Json) => [item.name, item]))

async function change(client: Client, patch: object): Promise<ApiResponse> {
  const { version } = (await client.get('/admin/settings')).body.meta
  return client.patch('/admin/settings', { ...patch, version })
}

const problemsOf = ({ body }: ApiResponse): string[] =>
  body.error.details.fields.map(({ field, code }: Json) => `${field} ${code}`)

const pageOf = async ({ anonymous, app }: World, path = '/'): Promise<ApiResponse> =>
  anonymous.send({ method: 'GET', url: `${app.site.root}${path}` })

const factsOf = async (world: World): Promise<Json> =>
  JSON.parse(/id="site">(.*?)<\/script>/.exec((await pageOf(world)).text)![1]!)

const auditOf = async ({ admin }: World): Promise<Json[]> =>
  (await admin.get('/admin/audit?action=setting_changed')).body.data

forEachEngine('changed settings are in force at once, in responses that were cached before too', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, anonymous, writer } = world
    const seen = async () => ({
      feed: /^NAME:(.*)\r$/m.exec((await anonymous.get('/public/calendar.ics')).text)?.[1],
      week: (await anonymous.get('/public/events?view=week')).body.meta.range.from,
      facts: await factsOf(world),
      frame: /frame-ancestors [^;]*/.exec(
        String((await pageOf(world, '/frame')).headers['content-security-policy']),
      )?.[0],
    })
    const before = await seen()
    assert.deepEqual(
      [before.feed, before.week, before.frame],
      ['Daybook', '2026-07-06T00:00:00+01:00', "frame-ancestors 'self'"],
    )
    const answer = await change(admin, {
      site_name: '  Town Hall ',
      timezone: 'america/new_york',
      week_start: 'Sunday',
      default_visibility: 'public',
      embed_sites: 'https://www.example.org/, https://other.example.org:8443',
      registration: 'closed',
      notify_admins: 'off',
      backup_every: '12h',
      backup_keep: '30d 4w 12m',
    })
    assert.equal(answer.status, 200, answer.text)
    const { site_name, timezone, week_start, embed_sites, backup_every, backup_keep, registration } = itemsOf(answer)
    assert.deepEqual([site_name!.value, site_name!.origin, site_name!.stored], ['Town Hall', 'database', 'Town Hall'])
    assert.equal(timezone!.value, 'America/New_York')
    assert.equal(week_start!.value, 'sunday')
    assert.equal(embed_sites!.value, 'https://www.example.org, https://other.example.org:8443')
    assert.deepEqual([backup_every!.value, backup_keep!.value, registration!.value], ['12h', '30d 4w 12m', 'closed'])
    const after = await seen()
    assert.equal(after.feed, 'Town Hall')
    assert.equal(after.week, '2026-07-05T00:00:00-04:00')
    assert.equal(after.frame, "frame-ancestors 'self' https://www.example.org https://other.example.org:8443")
    const { name, week_start: first, default_visibility: visibility, is_registration_open: isOpen } = after.facts
    assert.deepEqual([name, first, visibility, isOpen], ['Town Hall', 6, 'public', false])
    const made = await writer.creates({ title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
    assert.deepEqual([made.visibility, made.start], ['public', '2026-07-14T09:00:00-04:00'])
    const { config } = world.app.ctx
    assert.deepEqual([config.notifyAdmins, config.backupEveryMs], [false, 12 * 3_600_000])
  }),
)

forEachEngine('null resets a setting to its default', (engine) =>
  withWorld(engine, async (world) => {
    await change(world.admin, { site_name: 'Town', week_start: 'sunday' })
    const { site_name, week_start } = itemsOf(await change(world.admin, { site_name: null }))
    assert.deepEqual([site_name!.value, site_name!.origin, site_name!.stored], ['Daybook', 'default', null])
    assert.deepEqual([week_start!.value, week_start!.origin], ['sunday', 'database'])
    assert.equal((await factsOf(world)).name, 'Daybook')
    assert.deepEqual(
      (await auditOf(world)).map(({ detail }) => detail),
      [
        { site_name_from: 'Town', site_name_to: null },
        { week_start_from: null, week_start_to: 'sunday' },
        { site_name_from: null, site_name_to: 'Town' },
      ],
    )
  }),
)

forEachEngine('another node follows within ten seconds, and a restart reads what was changed', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    assert.equal((await factsOf(two)).name, 'Daybook')
    assert.equal((await change(one.admin, { site_name: 'Both', registration: 'closed' })).status, 200)
    await waitFor('the name on the other node', async () => (await factsOf(two)).name === 'Both')
    assert.ok(2 * SETTINGS_POLL_MS < 10_000, 'also if one query fails')
    assert.match((await two.anonymous.get('/public/calendar.ics')).text, /^NAME:Both\r$/m)
    const asked = await two.anonymous.post('/users/register', {
      email: 'new@example.org',
      password: 'a long enough password',
      display_name: 'New',
    })
    assert.equal(asked.body.error.code, 'registration_closed')
    const { place } = one
    const ctx = await openContext(loadConfig({ ...place.settings, DAYBOOK_LOG_LEVEL: 'silent' }, place.folder))
    assert.deepEqual([ctx.config.siteName, ctx.config.registration], ['Both', 'closed'])
    await ctx.storage.close()
  }),
)

forEachEngine('a node that has not yet followed shows and changes the current settings', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const stale = (await two.admin.get('/admin/settings')).body.meta.version
    await change(one.admin, { site_name: 'One' })
    const shown = await two.admin.get('/admin/settings')
    assert.equal(itemsOf(shown).site_name!.value, 'One')
    const refused = await two.admin.patch('/admin/settings', { site_name: 'Two', version: stale })
    assert.equal(refused.status, 412)
    assert.equal((await two.admin.patch('/admin/settings', { site_name: 'Two', version: stale + 1 })).status, 200)
  }),
)

forEachEngine('environment and file win over what was changed, and are shown as such', async (engine) => {
  const place = await makeReadyPlace(engine)
  try {
    const plain = await openWorld(engine, place)
    await change(plain.admin, { site_name: 'Stored', week_start: 'sunday', registration: 'closed' })
    await plain.app.close()
    writeFileSync(join(place.folder, 'daybook.json'), JSON.stringify({ week_start: 'tuesday', embed_sites: '' }))
    const world = await openWorld(engine, place, { place, settings: { DAYBOOK_SITE_NAME: 'Fixed' } })
    try {
      const { site_name, week_start, registration, embed_sites, port } = itemsOf(
        await world.admin.get('/admin/settings'),
      )
      assert.deepEqual(
        [site_name!.value, site_name!.origin, site_name!.stored, site_name!.changeable],
        ['Fixed', 'environment', 'Stored', false],
      )
      assert.match(site_name!.reason, /environment/)
      assert.deepEqual([week_start!.value, week_start!.origin, week_start!.changeable], ['tuesday', 'file', false])
      assert.match(week_start!.reason, /daybook\.json/)
      assert.deepEqual([registration!.value, registration!.changeable, registration!.reason], ['closed', true, null])
      assert.equal(embed_sites!.changeable, true, 'an empty text sets nothing')
      assert.deepEqual([port!.changeable, port!.stored], [false, null])
      assert.match(port!.reason, /when the service starts/)
      assert.equal((await factsOf(world)).name, 'Fixed')
      const refused = await change(world.admin, { site_name: 'Mine', week_start: 'friday', registration: 'open' })
      assert.equal(refused.status, 422)
      assert.deepEqual(problemsOf(refused), ['/site_name set_by_operator', '/week_start set_by_operator'])
      assert.equal(world.app.ctx.config.registration, 'closed', 'nothing was changed')
      const reset = itemsOf(await change(world.admin, { site_name: null }))
      assert.deepEqual([reset.site_name!.value, reset.site_name!.stored], ['Fixed', null])
    } finally {
      await world.app.close()
    }
  } finally {
    await place.remove()
  }
})

forEachEngine('values are held to the rules of daybook.json, and all problems are named at once', (engine) =>
  withWorld(engine, async ({ admin, app }) => {
    const refused = await change(admin, {
      site_name: 'a\nBcc: b@example.org',
      timezone: 'Mars/Olympus',
      week_start: 'moonday',
      default_visibility: 'secret',
      embed_sites: 'javascript:alert(1)',
      registration: 'ajar',
      notify_admins: 'maybe',
      backup_every: '0h',
      backup_keep: '0d',
      smtp_url: 'http://mail.example.org',
      smtp_tls: 'perhaps',
      mail_from: 'nobody',
    })
    assert.equal(refused.status, 422)
    assert.deepEqual(
      new Set(problemsOf(refused)),
      new Set([
        '/site_name invalid_format',
        '/timezone timezone_unknown',
        '/week_start not_allowed',
        '/default_visibility not_allowed',
        '/embed_sites invalid_format',
        '/registration not_allowed',
        '/notify_admins not_allowed',
        '/backup_every invalid_format',
        '/backup_keep invalid_format',
        '/smtp_url invalid_format',
        '/smtp_tls not_allowed',
        '/mail_from invalid_format',
      ]),
    )
    for (const [patch, problem] of [
      [{ site_name: '' }, '/site_name invalid_format'],
      [{ embed_sites: 'https://a;script-src-elem' }, '/embed_sites invalid_format'],
      [{ embed_sites: "https://'unsafe-inline'" }, '/embed_sites invalid_format'],
      [{ backup_keep: '6d 4w 12m' }, '/backup_keep not_allowed'],
      [{ backup_keep: '400d' }, '/backup_keep not_allowed'],
      [{ site_name: 'x'.repeat(101) }, '/site_name too_long'],
      [{ site_name: 7 }, '/site_name invalid_type'],
      [{ port: '80' }, '/port unknown_field'],
      [{}, ' required'],
    ] as const)
      assert.deepEqual(problemsOf(await change(admin, patch)), [problem])
    assert.deepEqual(app.ctx.config.stored, {})
  }),
)

test('every setting is either changeable or says why not, and each changeable one is in the request', async () => {
  const free = settings.filter((setting) => !('needs' in setting)).map(({ name }) => name)
  assert.deepEqual(new Set(free), new Set(CHANGEABLE))
  await withWorld('sqlite', async ({ admin }) => {
    const patch = Object.fromEntries(free.map((name) => [name, null]))
    assert.equal((await change(admin, patch)).status, 200)
  })
})

forEachEngine('a change names the version it is based on; of two, one gets 412', (engine) =>
  withWorld(engine, async ({ admin }) => {
    const { headers, body } = await admin.get('/admin/settings')
    const etag = String(headers.etag)
    assert.equal((await admin.patch('/admin/settings', { site_name: 'A' })).body.error.code, 'precondition_required')
    const [one, two] = await Promise.all(
      ['One', 'Two'].map((site_name) => admin.patch('/admin/settings', { site_name }, { 'if-match': etag })),
    )
    assert.deepEqual([one!.status, two!.status].sort(), [200, 412])
    const refused = one!.status === 412 ? one! : two!
    const done = one!.status === 200 ? one! : two!
    assert.equal(refused.body.error.code, 'version_mismatch')
    assert.equal(refused.body.error.details.current_version, body.meta.version + 1)
    assert.equal(refused.body.error.details.current_etag, done.headers.etag)
    const same = await change(admin, { site_name: itemsOf(done).site_name!.value })
    assert.equal(same.body.meta.version, body.meta.version + 1, 'nothing new, no new version')
  }),
)

forEachEngine('only administrators change settings, with tokens of that scope too', (engine) =>
  withWorld(engine, async (world) => {
    const { anonymous, reader, writer } = world
    const patch = { site_name: 'Mine', version: 1 }
    for (const [client, status] of [
      [anonymous, 401],
      [reader, 403],
      [writer, 403],
    ] as const) {
      assert.equal((await client.get('/admin/settings')).status, status)
      assert.equal((await client.patch('/admin/settings', patch)).status, status)
      assert.equal((await client.post('/admin/settings/test-mail', {})).status, status)
    }
    const session = await world.signIn('admin@example.org')
    const forged = await world.with({ cookie: session.cookie }).patch('/admin/settings', patch)
    assert.equal(forged.body.error.code, 'csrf_token_missing')
    assert.equal((await session.patch('/admin/settings', patch)).status, 200)
    const withToken = async (scope: string): Promise<Client> => {
      const { token } = (await session.post('/auth/tokens', { name: scope, scopes: [scope] })).body.data
      return world.with({ authorization: `Bearer ${token}` })
    }
    const events = await withToken('events:write')
    assert.equal((await events.patch('/admin/settings', { ...patch, version: 2 })).status, 403)
    const powerful = await withToken('admin')
    assert.equal((await powerful.patch('/admin/settings', { site_name: 'Token', version: 2 })).status, 200)
  }),
)

forEachEngine('every change has an entry in the audit trail: who, what, from what to what', (engine) =>
  withWorld(engine, async (world) => {
    const answer = await change(world.admin, { site_name: 'Town', mail_from: 'calendar@town.example' })
    const entries = await auditOf(world)
    assert.deepEqual(
      entries.map(({ actor_name, detail, request_id }) => ({ actor_name, detail, request_id })),
      [
        { mail_from_from: null, mail_from_to: '…@town.example' },
        { site_name_from: null, site_name_to: 'Town' },
      ].map((detail) => ({ actor_name: 'admin', detail, request_id: answer.headers['x-request-id'] })),
    )
  }),
)

const objectOf = (uid: string, ...lines: string[]): string =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a test', 'BEGIN:VEVENT', `UID:${uid}`],
    ...['DTSTAMP:20260101T000000Z', 'CLASS:PUBLIC', `SUMMARY:${uid}`, ...lines, 'END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n')

const FLOATING = ['DTSTART:20260714T190000', 'DTEND:20260714T200000']

const startsOf = async ({ anonymous }: World): Promise<Record<string, string>> => {
  const { data } = (await anonymous.get('/public/events?from=2026-07-01&to=2026-08-01')).body
  return Object.fromEntries(data.map(({ title, start }: Json) => [title, start]))
}

forEachEngine('events keep their meaning in another time zone, and are as before when it is changed back', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer, app } = world
    const put = (name: string, ...lines: string[]) => davOf(writer).put(`${MAIN}${name}.ics`, objectOf(name, ...lines))
    await put('floating', ...FLOATING)
    await put('day', 'DTSTART;VALUE=DATE:20260715')
    await writer.creates({
      title: 'own zone',
      start: '2026-07-16T09:00',
      end: '2026-07-16T10:00',
      visibility: 'public',
    })
    const before = await startsOf(world)
    const text = (await davOf(writer).get(`${MAIN}floating.ics`)).text
    assert.equal((await change(admin, { timezone: 'Asia/Tokyo' })).status, 200)
    assert.deepEqual(await startsOf(world), {
      floating: '2026-07-14T19:00:00+09:00',
      day: '2026-07-15T00:00:00+09:00',
      'own zone': '2026-07-16T17:00:00+09:00',
    })
    assert.equal((await davOf(writer).get(`${MAIN}floating.ics`)).text, text)
    assert.deepEqual(await reindex(app.ctx), { checked: 3, changed: 0, unreadable: [] })
    await change(admin, { timezone: null })
    assert.deepEqual(await startsOf(world), before)
  }),
)

forEachEngine('what another node wrote before it noticed the new time zone is derived again', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const follow = createSettingsFollower(two.app.ctx)
    const { timezone, ...rest } = two.app.ctx.config
    assert.equal((await change(one.admin, { timezone: 'Asia/Tokyo' })).status, 200)
    // As if the other node had not asked the database yet, whenever it did.
    two.app.ctx.config = { ...rest, timezone, stored: {} }
    await davOf(two.writer).put(`${MAIN}late.ics`, objectOf('late', ...FLOATING))
    await follow()
    assert.equal(two.app.ctx.config.timezone, 'Asia/Tokyo')
    assert.deepEqual(await startsOf(one), { late: '2026-07-14T19:00:00+09:00' })
    assert.deepEqual(await reindex(one.app.ctx), { checked: 1, changed: 0, unreadable: [] })
  }),
)
