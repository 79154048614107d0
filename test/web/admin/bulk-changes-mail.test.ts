// The mail about mistakes at scale in a browser: its links bring back what a program deleted or changed.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { assertPresentable, browserTest, withBrowser } from '../../support/browser/browser.ts'
import { davOf } from '../../support/http/dav.ts'
import { type MailServer, mailSettings, mailsTo, startMailServer } from '../../support/http/mail-server.ts'
import { PASSWORD, type World } from '../../support/world.ts'

const WRITER = 'writer@example.org'
const ADMIN = 'admin@example.org'
const LIMIT = 12
const MINUTE_MS = 60_000

const path = (i: number): string => `${MAIN}${i}.ics`
const contentOf = async ({ app }: World): Promise<unknown[]> =>
  app.ctx.storage.reads.selectFrom('events').select(['id', 'ical', 'sent_ical']).orderBy('id').execute()

async function connectPhone({ signIn, as }: World) {
  const phone = (await (await signIn(WRITER)).post('/auth/app-passwords', { name: 'Phone' })).body.data
  return davOf(as(WRITER, phone.password))
}

/** The only mail since `before` to the administrator. */
async function nextMail(server: MailServer, { app }: World, before: number): Promise<string> {
  await app.deliverMail()
  const mails = mailsTo(server, ADMIN).slice(before)
  assert.equal(mails.length, 1)
  return mails[0]!.text
}

const linkTo = (page: string, text: string): string =>
  text.match(/https?:\/\/\S+/g)!.find((link) => link.includes(page)) ?? assert.fail(`no link to ${page} in:\n${text}`)

async function withMail(story: (server: MailServer) => Promise<void>): Promise<void> {
  const server = await startMailServer()
  try {
    await story(server)
  } finally {
    await server.stop()
  }
}

const settingsOf = (server: MailServer) => ({
  ...mailSettings(server),
  DAYBOOK_RATE_LIMITS: 'on',
  DAYBOOK_BULK_CHANGE_LIMIT: `${LIMIT}`,
})

const rewind = async (page: Page, count: number): Promise<void> => {
  await page.getByRole('button', { name: `Yes, rewind ${count} events` }).click()
  await page.getByRole('heading', { name: 'What happened' }).waitFor()
}

browserTest('the mail about a mass deletion or change leads to a page that brings all back in one press', () =>
  withMail((server) =>
    withBrowser(
      async ({ world, address, visitor }) => {
        const { clock, admin } = world
        const dav = await connectPhone(world)
        for (let i = 0; i <= LIMIT; i++)
          assert.equal((await dav.put(path(i), eventText(`e${i}@example.org`, `SUMMARY:Event ${i}`))).status, 201)
        await admin.creates({ title: 'Fair', start: '2026-07-20', end: '2026-07-21', all_day: true })
        const before = await contentOf(world)

        clock.at += 30 * MINUTE_MS
        for (let i = 0; i <= LIMIT; i++) assert.equal((await dav.delete(path(i))).status, 204)
        const deletion = await nextMail(server, world, 0)
        assert.doesNotMatch(deletion, /Event \d|Phone|writer/)
        const page = await visitor()
        await page.goto(linkTo('/admin/rewind', deletion))
        await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
        await page.getByLabel('Email').fill(ADMIN)
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
        await page.getByText(`0 to the trash, 0 changed back, ${LIMIT + 1} restored.`).waitFor()
        assert.equal(await page.getByLabel('Only changes made by').inputValue(), WRITER)
        await assertPresentable(page, 'rewind-from-mail')
        await rewind(page, LIMIT + 1)
        assert.deepEqual(await contentOf(world), before)

        clock.at += 20 * MINUTE_MS
        await admin.patch(`/events/${(before[0] as { id: string }).id}`, { title: 'Of the administrator' })
        const kept = await contentOf(world)
        // Another incident, and not yet another sign-in.
        clock.at += 45 * MINUTE_MS
        for (let i = 0; i <= LIMIT; i++) {
          const { etag } = (await dav.get(path(i))).headers
          const text = eventText(`e${i}@example.org`, 'SUMMARY:Overwritten')
          assert.equal((await dav.put(path(i), text, { 'if-match': etag! })).status, 204)
        }
        const change = await nextMail(server, world, 1)
        await page.clock.setSystemTime(clock.at)
        await page.goto(linkTo('/admin/rewind', change))
        await page.getByText(`0 to the trash, ${LIMIT + 1} changed back, 0 restored.`).waitFor()
        await rewind(page, LIMIT + 1)
        assert.deepEqual(await contentOf(world), kept)
        assert.equal(new URL(page.url()).origin, new URL(address).origin)
      },
      { settings: settingsOf(server) },
    ),
  ),
)

browserTest('without what a rewind needs, the mail links only what can be restored', () =>
  withMail((server) =>
    withBrowser(
      async ({ world, signedIn }) => {
        const dav = await connectPhone(world)
        for (let i = 0; i <= LIMIT; i++) await dav.put(path(i), eventText(`e${i}@example.org`))
        for (let i = 0; i <= LIMIT; i++) assert.equal((await dav.delete(path(i))).status, 204)
        const mail = await nextMail(server, world, 0)
        assert.doesNotMatch(mail, /admin\/rewind/)
        const page = await signedIn(ADMIN)
        await page.goto(linkTo('/trash', mail))
        await page.getByRole('button', { name: `Restore all ${LIMIT + 1} of these…` }).click()
        await page.getByRole('button', { name: `Yes, restore ${LIMIT + 1}` }).click()
        await page.getByText(`${LIMIT + 1} events were restored.`).waitFor()
        assert.equal((await contentOf(world)).length, LIMIT + 1)
      },
      { settings: { ...settingsOf(server), DAYBOOK_HISTORY_DAYS: '0' } },
    ),
  ),
)
