// A language chosen in the browser: in the page as it is sent, in the addresses that follow, and drawn without another.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { browserTest, gridReady, withBrowser } from '../../support/browser/browser.ts'

/** Languages of everything that is drawn, from the first frame on. */
async function watchDrawn(page: Page): Promise<string[]> {
  const drawn: string[] = []
  await page.exposeFunction('tellDrawn', (language: string) => void (drawn.includes(language) || drawn.push(language)))
  await page.addInitScript(`
    const look = () => {
      if (document.body?.offsetHeight > 0) globalThis.tellDrawn(document.documentElement.lang)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  `)
  return drawn
}

const languageIn = (page: Page): string | null => new URL(page.url()).searchParams.get('lang')

browserTest('a reader who returns is shown the chosen language at once, and links keep it', () =>
  withBrowser(async ({ world, address, visitor }) => {
    const { id } = await world.writer.creates({
      title: 'Fair',
      start: '2026-07-12T10:00',
      end: '2026-07-12T12:00',
      visibility: 'public',
    })
    const page = await visitor({ locale: 'de-DE' })
    await page.goto(address)
    await gridReady(page)
    assert.equal(languageIn(page), null)
    await page.getByLabel('Sprache').selectOption('fr')
    await page.getByLabel('Langue').waitFor()
    assert.equal(languageIn(page), 'fr')
    await gridReady(page)
    await page.getByRole('button', { name: 'Mois suivant' }).click()
    await page.getByRole('heading', { level: 1, name: 'Août 2026' }).waitFor()
    assert.equal(languageIn(page), 'fr', 'the app keeps it in the address')
    assert.match((await page.getByRole('link', { name: 'Se connecter' }).getAttribute('href'))!, /lang=fr/)

    const drawn = await watchDrawn(page)
    await page.goto(`${address}/?view=month&date=2026-07-01`, { waitUntil: 'commit' })
    await page.waitForURL(/lang=fr/)
    await page.getByRole('heading', { level: 1, name: 'Juillet 2026' }).waitFor()
    await gridReady(page)
    assert.deepEqual(drawn, ['fr'])
    assert.match(page.url(), /date=2026-07-01/)
    await page.goto(`${address}/events/${id}`, { waitUntil: 'commit' })
    await page.waitForURL(/lang=fr/)
    await page.getByRole('link', { name: 'Voir dans le calendrier' }).waitFor()

    await page.goto(`${address}/?lang=es`)
    await page.getByRole('heading', { level: 1, name: 'Julio de 2026' }).waitFor()
    await gridReady(page)
    await page.getByLabel('Idioma').selectOption('de')
    await page.getByLabel('Sprache').waitFor()
    assert.equal(languageIn(page), null, 'what the browser asks for needs no parameter')
  }),
)
