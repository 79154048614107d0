// On a phone the first event is in the upper third in every language, and wide controls fit in every language.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { LANGUAGES } from '../../../src/domain/languages.ts'
import { type BrowserWorld, browserTest, gridReady, takenOver, withBrowser } from '../../support/browser/browser.ts'

const PHONE = { width: 390, height: 844 }

async function plan({ world }: BrowserWorld): Promise<void> {
  for (const day of ['01', '02', '04', '14'])
    await world.writer.creates({
      title: 'Choir',
      start: `2026-07-${day}T19:30`,
      end: `2026-07-${day}T21:00`,
      category: 'Music',
      visibility: 'public',
    })
}

const firstEventOf = async (page: Page): Promise<number> =>
  Math.round((await page.locator('.cal-event').first().boundingBox())!.y)

for (const reader of ['a reader', 'a writer'] as const)
  browserTest(`on a phone the first event is in the upper third for ${reader} of every language`, () =>
    withBrowser(async (stage) => {
      await plan(stage)
      stage.world.clock.at = Date.parse('2026-07-01T10:00:00Z')
      const page =
        reader === 'a writer' ? await stage.signedIn('writer@example.org', PHONE) : await stage.visitor(PHONE)
      const low: string[] = []
      for (const language of LANGUAGES)
        for (const query of ['', 'view=month&', 'view=week&', 'when=weekend&']) {
          await page.goto(`${stage.address}/?${query}lang=${language}`)
          await gridReady(page)
          await takenOver(page)
          const y = await firstEventOf(page)
          if (process.env.SHOT) {
            console.log(reader, language, query, y)
            if (query === '') await page.screenshot({ path: `${process.env.SHOT}/${reader[2]}-${language}.png` })
          }
          if (y > PHONE.height / 3) low.push(`${language} ${query}: ${y}`)
        }
      assert.deepEqual(low, [])
    }),
  )

browserTest('without JavaScript the controls of a wide window fit beside each other in every language', () =>
  withBrowser(async (stage) => {
    await plan(stage)
    const page = await stage.visitor({ hasScripts: false, width: 1280, height: 800 })
    const narrow: string[] = []
    for (const language of LANGUAGES) {
      await page.goto(`${stage.address}/?lang=${language}`)
      if (process.env.SHOT) await page.screenshot({ path: `${process.env.SHOT}/wide-${language}.png` })
      for (const name of ['select', 'input[type=search]']) {
        const { width, x } = (await page.locator(`.cal-filters ${name}`).boundingBox())!
        if (process.env.SHOT) console.log(language, name, x, width)
        if (width < 130 || x + width > 1280)
          narrow.push(`${language} ${name}: ${Math.round(width)} at ${Math.round(x)}`)
      }
    }
    assert.deepEqual(narrow, [])
  }),
)
