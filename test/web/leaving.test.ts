// Signing out on a shared computer: it applies to every tab, asks about unsaved work, and reports a failure.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { type BrowserWorld, browserTest, withBrowser } from '../support/browser/browser.ts'
import { PASSWORD } from '../support/world.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const plan = ({ world }: BrowserWorld) =>
  world.writer.creates({
    title: 'Canary',
    visibility: 'private',
    start: '2026-07-14T19:00',
    end: '2026-07-14T20:00',
  })

browserTest('signing out in one tab clears private data from all others, and from pages in the history', () =>
  withBrowser(async (stage) => {
    await plan(stage)
    const { address, signedIn } = stage
    const page = await signedIn('admin@example.org', { expected: /status of 401/ })
    await page.goto(`${address}/?view=month&date=2026-07-14`)
    const canary = page.getByRole('button', { name: /^Canary/ })
    await canary.waitFor()
    const people = await page.context().newPage()
    await people.goto(`${address}/admin/people`)
    await people.getByText('reader@example.org').waitFor()
    const tokens = await page.context().newPage()
    await tokens.goto(`${address}/account/tokens`)
    await tokens.getByLabel('Name').fill('Canary')
    await button(tokens, 'Create a token').click()
    const secret = tokens.getByRole('heading', { name: 'The token “Canary”' })
    await secret.waitFor()
    const third = await page.context().newPage()
    await third.goto(address)
    await button(third, 'Sign out').click()
    await third.getByRole('link', { name: 'Sign in' }).waitFor()
    await canary.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Private Event/ }).waitFor()
    await people.getByText('reader@example.org').waitFor({ state: 'detached' })
    await secret.waitFor({ state: 'detached' })

    // Signing in elsewhere signs in here too; a different account is announced.
    await third.getByRole('link', { name: 'Sign in' }).click()
    await third.getByLabel('Email address').fill('admin@example.org')
    await third.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await button(third, 'Sign in').click()
    await canary.waitFor()
    await people.getByText('reader@example.org').waitFor()
    // The browser kept the page in its back/forward cache during the sign-out, and shows it again.
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) localStorage.removeItem(key)
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    })
    await canary.waitFor({ state: 'detached' })
  }),
)

browserTest('a tab that lost its session storage, as at a sign-out, shows no form to sign in', () =>
  withBrowser(async ({ address, signedIn }) => {
    const page = await signedIn('writer@example.org')
    await page.goto(`${address}/account`)
    // The navigation is there before the page and its words are loaded.
    await page.getByRole('heading', { name: 'My account' }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.evaluate(async () => {
      dispatchEvent(new StorageEvent('storage', { key: null, storageArea: sessionStorage }))
      await fetch('/robots.txt')
    })
    assert.deepEqual(asked, ['/robots.txt'])
  }),
)

browserTest(
  'private events are cleared from every tab at sign-out, also where nothing can be loaded in their place',
  () =>
    withBrowser(async (stage) => {
      const { id } = await plan(stage)
      const { address, signedIn } = stage
      const page = await signedIn('writer@example.org', { expected: /ERR_FAILED/ })
      await page.route('**/public/events**', (route) => route.abort())
      await page.goto(`${address}/?date=2026-07-14`)
      await page.getByRole('button', { name: /^Canary/ }).click()
      await page.getByRole('dialog', { name: 'Canary' }).waitFor()
      const other = await page.context().newPage()
      await other.goto(address)
      await button(other, 'Sign out').click()
      await other.getByRole('link', { name: 'Sign in' }).waitFor()
      await page.getByRole('dialog').getByText('The server cannot be reached right now.').waitFor()
      assert.match(page.url(), new RegExp(id))
      await button(page, 'Close').click()
      await page.getByRole('alert').waitFor()
      // Forward again, to what was opened before.
      await page.goForward()
      await page.getByRole('dialog').getByText('The server cannot be reached right now.').waitFor()
      assert.doesNotMatch(await page.content(), /Canary/)
    }),
)

browserTest(
  'the form of a private event is cleared when its reader signs out elsewhere, unless something is typed into it',
  () =>
    withBrowser(async (stage) => {
      const { id } = await plan(stage)
      const { address, signedIn } = stage
      const page = await signedIn('writer@example.org')
      await page.goto(`${address}/event/edit?id=${id}`)
      await page.getByLabel('Title').waitFor()
      const typing = await page.context().newPage()
      await typing.goto(`${address}/event/edit?id=${id}`)
      await typing.getByLabel('Title').fill('Unfinished')
      const other = await page.context().newPage()
      await other.goto(address)
      await button(other, 'Sign out').click()
      await page.getByLabel('Title').waitFor({ state: 'detached' })
      assert.doesNotMatch(await page.content(), /Canary/)
      assert.equal(await typing.getByLabel('Title').inputValue(), 'Unfinished')

      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
      await page.getByLabel('Email address').fill('writer@example.org')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await button(page, 'Sign in').click()
      await page.getByLabel('Title').waitFor()
      assert.equal(await page.getByLabel('Title').inputValue(), 'Canary')
    }),
)

browserTest('signing out everywhere removes unsaved drafts here', () =>
  withBrowser(async ({ address, signedIn }) => {
    const page = await signedIn('writer@example.org')
    page.on('dialog', (dialog) => dialog.accept())
    await page.goto(`${address}/event/new`)
    await page.getByLabel('Title').fill('Canary')
    const holdsCanary = () => page.evaluate(() => JSON.stringify(sessionStorage).includes('Canary'))
    while (!(await holdsCanary())) await page.waitForTimeout(20)
    await page.goto(`${address}/account/sessions`)
    await button(page, 'Sign out everywhere').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(await holdsCanary(), false)
  }),
)

browserTest('signing out asks about unsaved work, and says when it failed', () =>
  withBrowser(async ({ address, signedIn }) => {
    const page = await signedIn('writer@example.org', { expected: /ERR_FAILED/ })
    await page.goto(`${address}/event/new`)
    await page.getByLabel('Title').fill('Unfinished')
    await button(page, 'Sign out').click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await button(page, 'Stay here').click()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Unfinished')
    await page.goto(`${address}/account`)
    await page.route('**/auth/logout', (route) => route.abort())
    await button(page, 'Sign out').click()
    await page.getByText('You are still signed in.').waitFor()
    await page.getByRole('link', { name: 'My account' }).waitFor()
    await page.unroute('**/auth/logout')
    await button(page, 'Sign out').click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
  }),
)

browserTest('a dialog is announced by its title, and a long word stays inside it', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    const word = '\u202E<b>'.padEnd(100, 'W')
    const { id } = await world.writer.creates({
      title: word,
      location: word,
      visibility: 'public',
      start: '2026-07-14T19:00',
      end: '2026-07-14T20:00',
    })
    const waiting = await world.addPerson('ann@example.org', 'writer', 'pending_approval')
    await world.admin.patch(`/admin/users/${waiting}`, { display_name: word.slice(1) })
    const page = await signedIn('admin@example.org', { width: 320, height: 640, expected: /status of 404/ })
    const dialog = page.getByRole('dialog')
    const assertFits = async () => {
      assert.equal(
        await dialog
          .getByRole('heading')
          .first()
          .evaluate((h) => h === document.activeElement),
        true,
      )
      assert.equal(await dialog.evaluate((one) => one.scrollWidth - one.clientWidth), 0)
    }
    await page.goto(`${address}/?event=${id}`)
    await dialog.getByText('Where').waitFor()
    await assertFits()
    await page.goto(`${address}/admin/people`)
    await page.getByRole('button', { name: /^Manage <b>/ }).click()
    await assertFits()
    await page.goto(`${address}/?event=00000000000000000000000000`)
    await dialog.getByText('This event no longer exists.').waitFor()
    await dialog.getByRole('heading', { name: 'Event' }).waitFor()
  }),
)
