// Embedding on pages of other sites: no cookies, isolated styles, and only public data.
import assert from 'node:assert/strict'
import type { ConsoleMessage, Page } from 'playwright-core'
import {
  assertAccessible,
  assertLegibleByNight,
  type BrowserWorld,
  browserTest,
  photograph,
  withBrowser,
} from '../support/browser/browser.ts'
import { withOtherSite } from '../support/browser/other-site.ts'

async function plan({ world }: BrowserWorld): Promise<void> {
  const at = (day: string) => ({ start: `2026-07-${day}T19:00`, end: `2026-07-${day}T21:00` })
  await world.writer.creates({
    title: 'Choir',
    visibility: 'public',
    category: 'Music',
    location: 'Main hall',
    ...at('14'),
  })
  await world.writer.creates({ title: 'Council', visibility: 'public', category: 'Town', ...at('15') })
  await world.writer.creates({ title: 'Heimlich', location: 'Verborgen', visibility: 'private', ...at('16') })
  await world.writer.creates({
    title: 'Fair',
    visibility: 'public',
    all_day: true,
    start: '2026-07-18',
    end: '2026-07-20',
  })
}

const upcoming = (page: Page) => page.locator('daybook-upcoming').getByRole('listitem')

browserTest('a page of another site lists upcoming events, under a strict CSP and without cookies', () =>
  withBrowser(async (stage) => {
    await plan(stage)
    const { address, visitor } = stage
    const markup = `<style nonce="x">li { color: red !important; display: none !important }</style>
<script type="module" src="${address}/embed.js"></script>
<daybook-upcoming limit="4"></daybook-upcoming>`
    const policy = `default-src 'none'; script-src ${address}; connect-src ${address}; style-src 'nonce-x'; img-src data:`
    await withOtherSite(
      markup,
      async (origin) => {
        const page = await visitor({ hosts: [origin] })
        await page.goto(origin)
        await upcoming(page).first().waitFor()
        const entries = await upcoming(page).allInnerTexts()
        assert.deepEqual(
          entries.map((text) => text.split('\n')),
          [
            ['Tue 14 Jul 2026, 19:00–21:00', 'Choir', 'Main hall'],
            ['Wed 15 Jul 2026, 19:00–21:00', 'Council'],
            ['Thu 16 Jul 2026, 19:00–21:00', 'Private Event'],
            ['18–19 Jul 2026', 'Fair'],
          ].map((lines) => (lines[1] === 'Fair' ? [entries[3]!.split('\n')[0]!, 'Fair'] : lines)),
        )
        assert.match(entries[3]!, /18.*19 Jul/)
        assert.deepEqual(await page.context().cookies(), [])
        assert.equal(
          await page
            .locator('daybook-upcoming')
            .evaluate((element) => document.styleSheets.length + element.children.length),
          1,
        )
        await assertAccessible(page)
        // The page has no dark colours of its own, but the visitor prefers them.
        await assertLegibleByNight(page, 'embedded-upcoming')
        const [choir] = await upcoming(page).getByRole('link').all()
        assert.match((await choir!.getAttribute('href'))!, new RegExp(`^${address}/\\?event=`))
      },
      policy,
    )
  }),
)

browserTest('attributes configure the element, and changes to them take effect', () =>
  withBrowser(async (stage) => {
    await plan(stage)
    const { address, visitor } = stage
    const markup = `<script type="module" src="${address}/embed.js"></script><daybook-upcoming category="Town" timezone="Asia/Tokyo"></daybook-upcoming>`
    await withOtherSite(markup, async (origin) => {
      const page = await visitor({ hosts: [origin] })
      await page.goto(origin)
      await upcoming(page).first().waitFor()
      assert.deepEqual(await upcoming(page).allInnerTexts(), ['Thu 16 Jul 2026, 03:00–05:00\nCouncil'])
      await page.locator('daybook-upcoming').evaluate((element) => element.setAttribute('category', 'Sport'))
      await page.getByText('There are no upcoming events.').waitFor()
      await page.locator('daybook-upcoming').evaluate((element) => element.remove())
    })
  }),
)

browserTest(
  'the calendar on another site has a legend, and shows several categories, by attribute and by address',
  () =>
    withBrowser(async (stage) => {
      const { address, visitor, world } = stage
      await plan(stage)
      await world.writer.creates({
        title: 'Vernissage',
        visibility: 'public',
        category: 'Art, old',
        start: '2026-07-17T19:00',
        end: '2026-07-17T21:00',
      })
      await world.admin.post('/admin/categories', { name: 'Music', color: '#ffd400' })
      const policy = `default-src 'none'; script-src ${address}; connect-src ${address}; img-src data:`
      const element = `<daybook-calendar categories="Music, Art\\, old"></daybook-calendar>`
      await withOtherSite(
        `<script type="module" src="${address}/embed.js"></script>${element}`,
        async (origin) => {
          const page = await visitor({ hosts: [origin] })
          await page.goto(origin)
          const calendar = page.locator('daybook-calendar')
          const shown = (title: string) => calendar.getByRole('button', { name: new RegExp(`^${title}, `) })
          const legend = calendar.getByRole('region', { name: 'Categories' })
          await shown('Choir').waitFor()
          await shown('Vernissage').waitFor()
          assert.equal(await shown('Council').count(), 0)
          await legend.getByRole('button', { name: 'Art, old' }).waitFor()
          assert.deepEqual(await legend.getByRole('button').allInnerTexts(), ['Music', 'Art, old'])
          const colorOf = (name: string) =>
            legend
              .getByRole('button', { name })
              .locator('.cal-mark')
              .evaluate((mark) => getComputedStyle(mark).backgroundColor)
          assert.notEqual(await colorOf('Music'), await colorOf('Art, old'))
          await legend.getByRole('button', { name: 'Music' }).click()
          await shown('Vernissage').waitFor({ state: 'detached' })
          await shown('Choir').waitFor()
          assert.equal(await legend.getByRole('button', { name: 'Music' }).getAttribute('aria-pressed'), 'true')
          await assertAccessible(page)
          await assertLegibleByNight(page, 'embedded-legend')
          await photograph(page, 'embedded-legend')
          await legend.getByRole('button', { name: 'Show all' }).click()
          await shown('Vernissage').waitFor()
        },
        policy,
      )
      const framed = await visitor()
      await framed.goto(`${address}/frame?category=Music&category=Art%2C+old`)
      await framed.getByRole('button', { name: /^Vernissage, / }).waitFor()
      await framed.getByRole('button', { name: /^Choir, / }).waitFor()
      assert.equal(await framed.getByRole('button', { name: /^Council, / }).count(), 0)
    }),
)

browserTest('a date that is invalid or out of range shows today', () =>
  withBrowser(async (stage) => {
    const { address, visitor } = stage
    for (const date of ['99999-01-01', '0000-00-00', '-000001-01-01', '2026-02-30', '<b>']) {
      const element = `<daybook-calendar view="month" date="${date.replace('<', '&lt;')}"></daybook-calendar>`
      await withOtherSite(`<script type="module" src="${address}/embed.js"></script>${element}`, async (origin) => {
        const page = await visitor({ hosts: [origin] })
        await page.goto(origin)
        await page.getByText('July 2026').first().waitFor()
      })
    }
  }),
)

browserTest('a calendar that cannot be reached says so and can be retried', () =>
  withBrowser(async (stage) => {
    const { address, visitor } = stage
    const markup = `<script type="module" src="${address}/embed.js"></script><daybook-upcoming></daybook-upcoming>`
    await withOtherSite(markup, async (origin) => {
      const page = await visitor({ hosts: [origin], expected: /ERR_FAILED|net::/ })
      await page.route('**/sidebar-events*', (route) => route.abort())
      await page.goto(origin)
      await page.getByRole('alert').waitFor()
      await page.unroute('**/sidebar-events*')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('There are no upcoming events.').waitFor()
    })
  }),
)

browserTest('a page of another site shows the whole calendar, and an event opens on the calendar’s own page', () =>
  withBrowser(async (stage) => {
    await plan(stage)
    const { address, visitor } = stage
    const markup = `<script type="module" src="${address}/embed.js"></script><daybook-calendar></daybook-calendar>`
    const policy = `default-src 'none'; script-src ${address}; connect-src ${address}; img-src data:`
    await withOtherSite(
      markup,
      async (origin) => {
        const page = await visitor({ hosts: [origin] })
        await page.goto(origin)
        const calendar = page.locator('daybook-calendar')
        await calendar.getByRole('button', { name: /^Choir, / }).waitFor()
        await calendar.getByText('July 2026').first().waitFor()
        await calendar.getByText('Times in Europe/London').waitFor()
        assert.equal(await calendar.getByText('Loading…').count(), 0)
        assert.doesNotMatch(await calendar.evaluate((element) => element.shadowRoot!.innerHTML), /Heimlich|Verborgen/)
        await assertAccessible(page)
        await photograph(page, 'embedded-calendar')
        await calendar.evaluate((element) => element.style.setProperty('color', 'rgb(255, 0, 0)', 'important'))
        const paper = () => calendar.evaluate((element) => getComputedStyle(element).backgroundColor)
        const ink = calendar.getByText('July 2026').first()
        assert.equal(await ink.evaluate((element) => getComputedStyle(element).color), 'rgb(28, 35, 48)')
        const opened = page.waitForEvent('popup')
        await calendar.getByRole('button', { name: /^Choir, / }).click()
        assert.match((await opened).url(), new RegExp(`^${address}/\\?event=`))
        await calendar.getByRole('button', { name: 'List' }).click()
        await calendar.getByRole('button', { name: /^Council, / }).waitFor()
        // The system is dark and the page is not; then the page follows the system.
        await page.emulateMedia({ colorScheme: 'dark' })
        assert.equal(await paper(), 'rgb(251, 250, 247)')
        await page.evaluate(() => document.documentElement.style.setProperty('color-scheme', 'light dark'))
        assert.equal(await paper(), 'rgb(18, 22, 28)')
        await page.emulateMedia({ colorScheme: 'light' })
        await calendar.evaluate((element) => element.setAttribute('theme', 'dark'))
        assert.equal(await paper(), 'rgb(18, 22, 28)')
        await assertAccessible(page)
        await photograph(page, 'embedded-list-dark')
        await calendar.getByRole('link', { name: 'Wednesday 15 July 2026' }).press('Enter')
        await calendar.getByText('Wednesday 15 July 2026', { exact: true }).waitFor()
        const focused = await calendar.evaluate((element) => element.shadowRoot!.activeElement?.textContent)
        assert.equal(focused, 'Wednesday 15 July 2026')
      },
      policy,
    )
  }),
)

for (const [title, sites, isShown] of [
  ['is shown by sites on the list', (origin: string) => origin, true],
  ['is not shown by others', () => 'https://www.example.org', false],
] as const)
  browserTest(`the frame ${title}`, () =>
    withOtherSite('<iframe title="Calendar"></iframe>', (origin) =>
      withBrowser(
        async ({ address, visitor }) => {
          const page = await visitor({ hosts: [origin], expected: /frame-ancestors|ERR_BLOCKED_BY_RESPONSE/ })
          await page.goto(origin)
          const isRefusal = (message: ConsoleMessage) => message.text().includes('frame-ancestors')
          const refused = isShown ? undefined : page.waitForEvent('console', isRefusal)
          await page
            .locator('iframe')
            .evaluate((frame, src) => frame.setAttribute('src', src), `${address}/frame?view=list`)
          const calendar = page.frameLocator('iframe').locator('daybook-calendar')
          if (isShown) await calendar.getByText('Times in Europe/London').waitFor()
          await refused
          assert.equal(await calendar.count(), isShown ? 1 : 0)
        },
        { settings: { DAYBOOK_EMBED_SITES: sites(origin) } },
      ),
    ),
  )

browserTest('the page about embedding shows both live, with code to copy that follows the chosen options', () =>
  withBrowser(
    async (stage) => {
      await plan(stage)
      await stage.world.writer.creates({
        title: 'Quotes',
        visibility: 'public',
        category: '"R&B" <live>',
        start: '2026-07-21T19:00',
        end: '2026-07-21T21:00',
      })
      const page = await stage.visitor()
      await page.goto(`${stage.address}/embed`)
      await upcoming(page).first().waitFor()
      const tops = await page
        .locator('.embed-choices label')
        .evaluateAll((all) => all.map((label) => Math.round(label.getBoundingClientRect().top)))
      assert.equal(tops.length, 3)
      assert.equal(new Set(tops).size, 1, 'the options are in one line')
      const code = page.getByRole('group', { name: 'Copy this into your page' }).first()
      assert.equal(
        await code.innerText(),
        `<script type="module" src="${stage.address}/embed.js"></script>\n<daybook-upcoming></daybook-upcoming>`,
      )
      const categories = page.getByRole('group', { name: 'Category' })
      await categories.getByLabel('"R&B" <live>').check()
      await page.getByLabel('How many events').fill('3')
      assert.match(await code.innerText(), /<daybook-upcoming limit="3" category="&quot;R&amp;B&quot; &lt;live&gt;">/)
      await page.locator('daybook-upcoming').getByText('Quotes').waitFor()
      await categories.getByLabel('Town').check()
      assert.match(await code.innerText(), / categories="&quot;R&amp;B&quot; &lt;live&gt;, Town">/)
      await page.locator('daybook-upcoming').getByText('Council').waitFor()
      const frame = page.getByRole('group', { name: 'Copy this into your page' }).nth(2)
      assert.match(await frame.innerText(), /\?category=%22R%26B%22\+%3Clive%3E&amp;category=Town"/)
      await assertAccessible(page)
      await photograph(page, 'embed')
    },
    { settings: { DAYBOOK_URL_SLUG: 'town' } },
  ),
)
