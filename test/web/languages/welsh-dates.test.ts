// The calendar in Welsh, whose dates Intl of Chrome does not have.
import { browserTest, gridReady, withBrowser } from '../../support/browser/browser.ts'

const ENGLISH =
  /\b(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?\b|\b(Jan|Febr?|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|March|May)[a-z]*\b/

browserTest('the calendar says days and months in Welsh, also to screen readers', () =>
  withBrowser(async ({ address, visitor }) => {
    for (const width of [390, 1280]) {
      const page = await visitor({ width })
      for (const view of ['month', 'week', 'day', 'list', 'year']) {
        await page.goto(`${address}/?view=${view}&lang=cy`)
        await gridReady(page)
        // Labels are adapted after the grid is drawn.
        await page.waitForFunction((english) => {
          const labels = [...document.querySelectorAll('.cal-frame [aria-label]')].map((part) =>
            part.getAttribute('aria-label'),
          )
          const heads = [...document.querySelectorAll('.cal-frame [role="columnheader"]')].map(
            (part) => part.textContent,
          )
          const isTranslated = !new RegExp(english).test([document.body.innerText, ...labels].join('\n'))
          return isTranslated && heads.every((text) => text.length > 1)
        }, ENGLISH.source)
      }
    }
  }),
)
