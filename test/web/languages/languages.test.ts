// Languages in the browser: by its own languages, by choice, and only the words of that language are loaded.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { LANGUAGES } from '../../../src/domain/languages.ts'
import {
  assertPresentable,
  browserTest,
  gridReady,
  photograph,
  takenOver,
  withBrowser,
} from '../../support/browser/browser.ts'
import { withOtherSite } from '../../support/browser/other-site.ts'

const practice = {
  title: 'Chorprobe',
  start: '2026-07-07T19:30',
  end: '2026-07-07T21:00',
  rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270630',
  location: 'Gemeindehaus',
  visibility: 'public',
}

/** Files of words by what is in them. */
function watchWords(page: Page): { english: string[]; german: string[] } {
  const found: { english: string[]; german: string[] } = { english: [], german: [] }
  page.on('response', async (response) => {
    if (!response.url().endsWith('.js')) return
    const text = await response.text().catch(() => '')
    if (text.includes('Skip to content')) found.english.push(response.url())
    if (text.includes('Zum Inhalt springen')) found.german.push(response.url())
  })
  return found
}

browserTest('a German browser gets German pages, and no English words', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await world.writer.creates(practice)
    const page = await visitor({ locale: 'de-DE' })
    const loaded = watchWords(page)
    await page.goto(`${address}/?view=month&date=2026-07-07`)
    await gridReady(page)
    await page.getByRole('heading', { level: 1, name: 'Juli 2026' }).waitFor()
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'de')
    const choir = page.getByRole('button', {
      name: /^Chorprobe, Dienstag, 7\. Juli 2026, 19:30 bis 21:00, wiederholt sich/,
    })
    await choir.click()
    await page.getByText('jeden zweiten Dienstag bis 30. Juni 2027').waitFor()
    await page.keyboard.press('Escape')
    await assertPresentable(page, 'german-month')
    assert.deepEqual([loaded.english.length, loaded.german.length], [0, 1])
    await page.goto(`${address}/sign-in`)
    await page.getByRole('heading', { level: 1, name: 'Anmelden' }).waitFor()
    await assertPresentable(page, 'german-sign-in')
  }),
)

browserTest('the choice at the end of the page wins over the browser, and stays', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await world.writer.creates(practice)
    const page = await visitor({ locale: 'de-DE' })
    await page.goto(`${address}/?view=list&date=2026-07-07`)
    await gridReady(page)
    await page.getByLabel('Sprache').selectOption('en-US')
    await page.getByText('7:30\u202fPM').first().waitFor()
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'en-US')
    await page.goto(`${address}/sign-in`)
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    // A link that names a language is for that page.
    await page.goto(`${address}/sign-in?lang=de`)
    await page.getByRole('heading', { level: 1, name: 'Anmelden' }).waitFor()
    await page.goto(`${address}/sign-in`)
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  }),
)

browserTest('in each language, the app writes the hours of a list and a month as the service did', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await world.writer.creates(practice)
    await world.writer.creates({ ...practice, title: 'Nacht', rrule: null, end: '2026-07-08T01:00' })
    const bare = await visitor({ hasScripts: false })
    const page = await visitor()
    const hoursOn = async (one: Page): Promise<string[]> =>
      (await one.locator('.cal-time').filter({ visible: true }).allTextContents()).map((text) => text.trim())
    for (const lang of LANGUAGES)
      for (const view of ['list', 'month']) {
        const query = `view=${view}&date=2026-07-07&lang=${lang}`
        await bare.goto(`${address}/?${query}`)
        await page.goto(`${address}/?${query}`)
        await takenOver(page)
        await gridReady(page)
        const served = await hoursOn(bare)
        assert.ok(served.length >= 3, `${query}: ${served}`)
        assert.deepEqual(await hoursOn(page), served, query)
      }
  }),
)

browserTest('the pages of an administrator are German, and fit', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    const { id } = await world.writer.creates(practice)
    const page = await signedIn('admin@example.org', { locale: 'de-DE' })
    const places: [path: string, heading: string][] = [
      ['/account', 'Mein Konto'],
      ['/admin/people', 'Personen'],
      ['/admin/settings', 'Einstellungen'],
      ['/event/new', 'Neue Veranstaltung'],
      [`/event/history?id=${id}`, 'Verlauf'],
      ['/trash', 'Papierkorb'],
    ]
    for (const [path, name] of places) {
      await page.goto(`${address}${path}`)
      await page.getByRole('heading', { name }).first().waitFor()
      await assertPresentable(page, `german-${path.replace(/[^a-z]+/g, '-')}`)
    }
    await page.goto(`${address}/admin/health`)
    await page.getByText('Es ist kein Mailserver gesetzt: Mails werden in Dateien geschrieben.').waitFor()
    await page.getByText('Setzen Sie smtp_url für den öffentlichen Betrieb.').waitFor()
    await page.goto(`${address}/admin/settings`)
    await page.getByText('Der Port dafür.').waitFor()
    await page.getByRole('heading', { name: 'Überwachung des Rechners.' }).waitFor()
    const { version } = (await world.admin.get('/admin/settings')).body.meta
    await world.admin.patch('/admin/settings', { registration: 'closed', version })
    await page.goto(`${address}/admin/audit`)
    await page.getByText('(Anfragen für Konten: Vorgabe → geschlossen)').waitFor()
    await page.goto(`${address}/events/${id}`)
    await page.getByRole('heading', { name: 'Nächste Termine' }).waitFor()
    await photograph(page, 'german-event')
  }),
)

browserTest('an element on another site is in the language of its page, or of its attribute', () =>
  withBrowser(async ({ world, address, visitor }) => {
    await world.writer.creates(practice)
    const script = `<script type="module" src="${address}/embed.js"></script>`
    await withOtherSite(`${script}<daybook-upcoming lang="de"></daybook-upcoming>`, async (origin) => {
      const page = await visitor({ hosts: [origin] })
      await page.goto(origin)
      await page.getByText(/Di\., 21\. Juli 2026, 19:30–21:00/).waitFor()
    })
    await withOtherSite(
      `${script}<div lang="de"><daybook-calendar view="month"></daybook-calendar></div>`,
      async (origin) => {
        const page = await visitor({ hosts: [origin] })
        await page.goto(origin)
        await page.getByRole('button', { name: 'Nächster Monat' }).waitFor()
        await page.getByText('Zeiten in Europe/London').waitFor()
      },
    )
  }),
)
