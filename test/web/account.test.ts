// Account pages in the browser: registration, sign-in, password reset, mailed links, and how each page looks.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { assertLegibleByNight, assertPresentable, browserTest, withBrowser } from '../support/browser/browser.ts'
import { linkIn, mailSettings, mailsTo, startMailServer } from '../support/http/mail-server.ts'
import { mintToken } from '../support/tokens.ts'
import { basicOf, PASSWORD } from '../support/world.ts'

const email = 'choir@example.org'
const password = 'seven quiet herons'

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name, exact: true })

async function signInAs(page: Page, who: string, secret = PASSWORD): Promise<void> {
  await page.getByLabel('Email address').fill(who)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await button(page, 'Sign in').click()
}

/** By day and by night. */
async function looksRight(page: Page, name: string): Promise<void> {
  await assertPresentable(page, `account-${name}`)
  await assertLegibleByNight(page, `account-${name}`)
}

browserTest('an account is requested, verified, approved, used, and its password reset', async () => {
  const mail = await startMailServer()
  try {
    await withBrowser(
      async ({ world, address, visitor }) => {
        const page = await visitor({ expected: /status of (401|403|422)/ })
        await page.goto(`${address}/register`)
        await page.getByText('Only administrators can see it.').waitFor()
        await button(page, 'Send my request').click()
        await page.getByRole('alert').getByText('Please check the marked fields.').waitFor()
        await page.getByText('Enter your email address.').waitFor()
        assert.equal(
          await page.getByLabel('Name', { exact: true }).evaluate((field) => field === document.activeElement),
          true,
        )
        await looksRight(page, 'register-refused')
        await page.getByLabel('Name', { exact: true }).fill('Choir')
        await page.getByLabel('Email address').fill(email)
        await page.getByLabel('Password', { exact: true }).fill(password)
        await page.getByLabel('Message to the administrator').fill('We sing on Tuesdays.')
        await button(page, 'Send my request').click()
        await heading(page, 'Check your email').waitFor()
        await looksRight(page, 'check-mail')
        await button(page, 'Send another link').click()
        await page.getByText('another email is on its way').waitFor()
        await world.app.deliverMail()
        // Mails are sent side by side and may arrive in either order.
        const links = mailsTo(mail, email).map((one) => linkIn(one))
        assert.equal(links.filter((link) => link.startsWith(`${address}/reset-password#t=`)).length, 1)
        const verification = links.find((link) => link.startsWith(`${address}/verify#t=`))!
        // Until then its owner is unknown, and the page says so to everybody alike.
        await page.goto(`${address}/sign-in`)
        await signInAs(page, email, password)
        await page.getByRole('alert').getByText('not yet opened the link').waitFor()
        const refused = await page.getByRole('alert').innerText()
        assert.doesNotMatch(refused, /wrong/, 'the password is correct')
        await looksRight(page, 'sign-in-unverified')
        await signInAs(page, 'nobody@example.org', password)
        await page.getByRole('alert').waitFor()
        assert.equal(await page.getByRole('alert').innerText(), refused, 'an unknown address gets the same text')
        await page.getByLabel('Email address').fill(email)
        await page.getByRole('link', { name: 'Send me a new link' }).click()
        await heading(page, 'Forgotten password').waitFor()
        assert.equal(await page.getByLabel('Email address').inputValue(), email)
        await page.goto(verification)
        await button(page, 'Verify my address').waitFor()
        assert.equal(page.url(), `${address}/verify`, 'nothing of the token is in the address bar')
        const stored = await world.app.ctx.storage.reads
          .selectFrom('users')
          .select('email_verified_at')
          .where('email', '=', email)
          .executeTakeFirstOrThrow()
        assert.equal(stored.email_verified_at, null, 'opening the page uses nothing up')
        await button(page, 'Verify my address').click()
        await page.getByText('An administrator will review your request').waitFor()

        await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
        await signInAs(page, email, password)
        await page.getByText('your request is still waiting for an administrator').waitFor()
        assert.equal(await page.getByLabel('Email address').inputValue(), email, 'nothing typed is lost')
        const waiting = await world.admin.get('/admin/users?approval_state=pending_approval')
        const [{ id, request_message }] = waiting.body.data
        assert.equal(request_message, 'We sing on Tuesdays.')
        const approval = { approval_state: 'approved', role: 'writer', version: waiting.body.data[0].version }
        assert.equal((await world.admin.patch(`/admin/users/${id}`, approval)).status, 200)

        await button(page, 'Sign in').click()
        await page.getByRole('link', { name: 'My account' }).click()
        await page.getByText('Writer: can see, add and change all events').waitFor()
        await page.getByRole('link', { name: 'App passwords' }).click()
        await page.getByLabel('Device or app').fill('Phone')
        await button(page, 'Create an app password').click()
        await page.getByRole('heading', { name: 'The app password for “Phone”' }).waitFor()
        const made = await page.getByLabel('Password', { exact: true }).inputValue()
        const phone = world.with({ authorization: basicOf(email, made) })
        assert.equal((await phone.get('/events?view=day')).status, 200)
        await looksRight(page, 'app-password-made')
        await button(page, 'I have copied it').click()
        await page.reload()
        await page.getByText(/^Last used 10 Jul 2026/).waitFor()
        assert.ok(!(await page.content()).includes(made), 'it is shown once')

        const elsewhere = await world.signIn(email, password)
        const lost = await visitor({ expected: /status of 422/ })
        await lost.goto(`${address}/sign-in`)
        await lost.getByRole('link', { name: 'Forgotten your password?' }).click()
        await lost.getByLabel('Email address').fill(email)
        await button(lost, 'Send me a link').click()
        await lost.getByText('If this address has an account, an email is on its way.').waitFor()
        await world.app.deliverMail()
        await lost.goto(linkIn(mailsTo(mail, email).at(-1)!))
        await lost.getByLabel('New password').fill('gravel under the bridge')
        await button(lost, 'Change my password').click()
        await lost.getByText('Your password has been changed. Sign in with the new one.').waitFor()
        assert.equal((await elsewhere.get('/auth/session')).status, 401, 'sessions ended')
        assert.equal((await phone.get('/events?view=day')).status, 401, 'and app passwords with them')
        await lost.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
        await signInAs(lost, email, 'gravel under the bridge')
        await lost.getByRole('link', { name: 'My account' }).waitFor()
      },
      { settings: mailSettings(mail) },
    )
  } finally {
    await mail.stop()
  }
})

browserTest(
  'a request says what happens next: with a mail server that a link is unopened, without one that no mail comes',
  async () => {
    const request = async (page: Page, address: string): Promise<void> => {
      await page.goto(`${address}/register`)
      await page.getByLabel('Name', { exact: true }).fill('Choir')
      await page.getByLabel('Email address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await button(page, 'Send my request').click()
    }
    const settings = { DAYBOOK_REQUIRE_VERIFIED_EMAIL: 'off' }
    await withBrowser(
      async ({ address, visitor }) => {
        const page = await visitor({ expected: /status of 403/ })
        await request(page, address)
        await heading(page, 'Check your email').waitFor()
        await page.goto(`${address}/sign-in`)
        await signInAs(page, email, password)
        await page.getByRole('alert').getByText('has not been opened yet').waitFor()
        await page.getByRole('alert').getByRole('link', { name: 'Send me a new link' }).waitFor()
      },
      // Nothing listens there, and nothing is delivered.
      { settings: { ...settings, DAYBOOK_SMTP_URL: 'smtp://127.0.0.1:9' } },
    )
    await withBrowser(
      async ({ address, visitor }) => {
        const page = await visitor({ expected: /status of 403/ })
        await request(page, address)
        await heading(page, 'Your request was received').waitFor()
        await page.getByText('This calendar sends no email.').waitFor()
        await looksRight(page, 'request-received')
        await page.goto(`${address}/sign-in`)
        await signInAs(page, email, password)
        await page.getByText('your request is still waiting for an administrator').waitFor()
        await page.getByRole('link', { name: 'Forgotten your password?' }).click()
        await button(page, 'Ask for a link').click()
        await page.getByText('Ask an administrator to give it to you.').waitFor()
      },
      { settings },
    )
  },
)

browserTest(
  'a mailed link: a second one begins anew, a spent one says so, a wrong password keeps it for the next try',
  () =>
    withBrowser(
      async ({ world, address, visitor }) => {
        const page = await visitor({ expected: /status of 422/ })
        const id = await world.addPerson('ann@example.org', 'writer')
        const another = page.getByRole('link', { name: 'Request a new link' })
        const follow = (fragment: string) => page.evaluate((hash) => location.assign(hash), fragment)
        const incomplete = page.getByText('This link is incomplete. Open it from the email again.')
        for (const path of ['/verify', '/verify#x=1', '/reset-password#t=']) {
          await page.goto(address + path)
          await incomplete.waitFor()
          assert.equal(await another.count(), 1, path)
        }
        await page.goto(`${address}/verify#t=spent`)
        await button(page, 'Verify my address').click()
        await page.getByText('This link has already been used, or has expired.').waitFor()
        assert.equal(await another.getAttribute('href'), new URL(`${address}/forgot-password`).pathname)
        await looksRight(page, 'verify-spent')
        await page.goto(`${address}/reset-password#t=spent`)
        const field = page.getByLabel('New password')
        await field.fill('gravel under the bridge')
        await button(page, 'Change my password').click()
        await page.getByText('This link has already been used, or has expired.').waitFor()
        assert.equal(await field.count(), 0)
        assert.equal(await another.count(), 1)
        await looksRight(page, 'reset-spent')

        await follow(`#t=${await mintToken(world, 'reset', id)}`)
        await field.waitFor()
        assert.equal(page.url(), `${address}/reset-password`)
        assert.equal(await field.inputValue(), '')
        await field.fill('short')
        await button(page, 'Change my password').click()
        await page.getByText('This password is too short.').waitFor()
        assert.equal(await field.getAttribute('aria-invalid'), 'true')
        assert.equal(await field.evaluate((input) => input === document.activeElement), true)
        await looksRight(page, 'reset-short')
        await field.fill('passwordpassword')
        await field.press('Enter')
        await page.getByText('This password is easy to guess.').waitFor()
        await button(page, 'Show password').click()
        assert.equal(await field.getAttribute('type'), 'text')
        await button(page, 'Hide password').click()
        assert.equal(await field.getAttribute('type'), 'password')
        await field.fill('gravel under the bridge')
        await field.press('Enter')
        await page.getByText('Your password has been changed. Sign in with the new one.').waitFor()
        assert.equal(await another.count(), 0, 'no other link is needed now')
        await follow('#t=')
        await incomplete.waitFor()
        assert.equal(await another.count(), 1)
        await page.goBack()
        assert.ok(!page.url().includes('#'), 'nothing in the history')

        const approved = await world.addPerson('bob@example.org', 'writer', 'approved', false)
        await page.goto(`${address}/verify#t=${await mintToken(world, 'verify', approved)}`)
        await button(page, 'Verify my address').click()
        await page.getByText('Your email address is verified.', { exact: true }).waitFor()
        const twice = await world.addPerson('cat@example.org', 'writer', 'pending_approval', false)
        await world.app.ctx.storage.writes
          .updateTable('users')
          .set({ was_asked_again: 1 })
          .where('id', '=', twice)
          .execute()
        await follow(`#t=${await mintToken(world, 'verify', twice)}`)
        await button(page, 'Verify my address').click()
        await page.getByText(/we are sending you another email to choose your password/).waitFor()

        await page.goto(`${address}/forgot-password`)
        await page.getByLabel('Email address').fill('no address')
        await button(page, 'Send me a link').click()
        await page.getByText('This does not look like an email address.').waitFor()
        const answers = []
        for (const who of ['writer@example.org', 'unknown@example.org']) {
          await page.goto(`${address}/forgot-password`)
          await page.getByLabel('Email address').fill(who)
          await button(page, 'Send me a link').click()
          await page
            .getByRole('status')
            .getByText(/^If this address/)
            .waitFor()
          answers.push(await page.getByRole('main').innerText())
        }
        assert.equal(answers[0], answers[1])
        const mails = await world.app.ctx.storage.reads.selectFrom('outbox').selectAll().execute()
        assert.ok(
          mails.some(({ kind }) => kind === 'reset'),
          'the proof of work was taken',
        )
      },
      { settings: { DAYBOOK_PROOF_OF_WORK: 'on', DAYBOOK_SMTP_URL: 'smtp://127.0.0.1:9' } },
    ),
)

browserTest('after a session ends during editing, signing in again completes the pressed action', () =>
  withBrowser(async ({ world, address, visitor }) => {
    const id = await world.addPerson('ann@example.org', 'writer')
    const page = await visitor({ expected: /status of (401|403)/ })
    await page.goto(`${address}/account/app-passwords`)
    await page.getByText('Sign in to see this page.').waitFor()
    await signInAs(page, 'ann@example.org')
    await page.getByLabel('Device or app').fill('Tablet')
    const endAll = () => world.admin.delete(`/admin/users/${id}/sessions`)
    const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
    const listed = async () => (await world.as('ann@example.org').get('/auth/app-passwords')).body.data.length

    await endAll()
    await button(page, 'Create an app password').click()
    await dialog.waitFor()
    await looksRight(page, 'sign-in-again')
    await page.keyboard.press('Escape')
    await page.getByRole('alert').getByText('nothing you typed is lost').waitFor()
    assert.equal(await page.getByLabel('Device or app').inputValue(), 'Tablet')
    assert.equal(await listed(), 0)

    await button(page, 'Create an app password').click()
    assert.equal(await dialog.getByLabel('Email address').inputValue(), 'ann@example.org')
    await dialog.getByLabel('Password', { exact: true }).fill('not the right one')
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.getByText('You could not be signed in. Check the email address and the password.').waitFor()
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'The app password for “Tablet”' }).waitFor()
    assert.equal(await dialog.count(), 0)
    assert.equal(await listed(), 1, 'what was pressed was done, once')

    await button(page, 'I have copied it').click()
    await page.getByLabel('Device or app').fill('Laptop')
    const tab = await page.context().newPage()
    await tab.goto(address)
    await button(tab, 'Sign out').click()
    await tab.getByRole('link', { name: 'Sign in' }).click()
    await signInAs(tab, 'reader@example.org')
    await tab.getByRole('link', { name: 'My account' }).waitFor()
    const other = page.getByRole('dialog', { name: 'Someone else is signed in here now' })
    await other.getByText(/as ann@example\.org, but reader@example\.org/).waitFor()
    await looksRight(page, 'somebody-else')
    await other.getByRole('button', { name: 'Leave it as it is' }).click()
    assert.equal(await page.getByLabel('Device or app').inputValue(), 'Laptop')
    await button(page, 'Create an app password').click()
    await other.getByRole('button', { name: 'Reload the page as reader@example.org' }).click()
    await page.getByText('You have none yet.').waitFor()
    assert.equal((await world.reader.get('/auth/app-passwords')).body.data.length, 0, 'nothing was made for the other')
  }),
)

browserTest('signing in by keyboard alone returns to the page before, and to no other site', () =>
  withBrowser(async ({ address, visitor }) => {
    const page = await visitor({ expected: /status of (401|429)|ERR_INTERNET_DISCONNECTED/ })
    const tabTo = async (wanted: Locator) => {
      for (let i = 0; i < 20; i++) {
        await page.keyboard.press('Tab')
        if (await wanted.evaluate((element) => element === document.activeElement)) return
      }
      assert.fail('not reached by Tab')
    }
    await page.goto(`${address}/embed`)
    await tabTo(page.getByRole('link', { name: 'Sign in' }))
    await page.keyboard.press('Enter')
    await heading(page, 'Sign in').waitFor()
    await tabTo(page.getByLabel('Email address'))
    await page.keyboard.type('writer@example.org')
    await tabTo(page.getByLabel('Password', { exact: true }))
    await page.keyboard.type(PASSWORD)
    await tabTo(page.getByLabel(/^Stay signed in\. .*Administrators/))
    await page.keyboard.press('Space')
    await tabTo(button(page, 'Sign in'))
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'My account' }).waitFor()
    assert.equal(page.url(), `${address}/embed`)
    const [cookie] = await page.context().cookies()
    assert.ok(cookie!.expires > 0, 'it stays')
    await button(page, 'Sign out').click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()

    await page.goto(`${address}/sign-in?next=${encodeURIComponent('//evil.example')}`)
    await signInAs(page, 'writer@example.org')
    await page.getByRole('link', { name: 'My account' }).waitFor()
    await page.waitForURL(`${address}/`)
    for (const next of ['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)', '/../x']) {
      await page.goto(`${address}/sign-in?next=${encodeURIComponent(next)}`)
      assert.equal(await page.getByRole('link', { name: 'Continue' }).getAttribute('href'), '/', next)
    }
    await button(page, 'Sign out').click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()

    await page.goto(`${address}/sign-in`)
    await page.route('**/auth/login', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '270' },
        json: { error: { code: 'rate_limited', message: '' } },
      }),
    )
    await signInAs(page, 'writer@example.org')
    await page.getByRole('alert').getByText('Try again in 5 minutes.').waitFor()
    await page.unroute('**/auth/login')
    await page.context().setOffline(true)
    await button(page, 'Sign in').click()
    await page.getByRole('alert').getByText('The server cannot be reached right now.').waitFor()
    await page.context().setOffline(false)
    await button(page, 'Sign in').click()
    await page.getByRole('link', { name: 'My account' }).waitFor()
  }),
)

browserTest('password, feed links, tokens and sessions are managed on the account pages', () =>
  withBrowser(async ({ world, address, signedIn }) => {
    const page = await signedIn('writer@example.org', { expected: /status of (401|422)/ })
    await page.goto(`${address}/account`)
    await page.getByLabel('Current password').fill('not the right one')
    await page.getByLabel('New password').fill(password)
    await button(page, 'Change my password').click()
    await page.getByText('This is not your current password.').waitFor()
    await looksRight(page, 'overview')
    await page.getByLabel('Current password').fill(PASSWORD)
    await button(page, 'Change my password').click()
    await page.getByText('Your password has been changed. You were signed out everywhere else.').waitFor()

    await page.getByRole('link', { name: 'Feed links' }).click()
    await heading(page, 'Feed links').waitFor()
    await page.getByText('You have none yet.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Kitchen')
    await button(page, 'Create a link').click()
    const url = await page.getByLabel('Address to subscribe to').inputValue()
    assert.equal((await world.anonymous.send({ method: 'GET', url: url.slice(address.length) })).status, 200)
    await button(page, 'Rename Kitchen').click()
    await page.getByRole('dialog').getByLabel('Name').fill('Hall')
    await button(page, 'Save').click()
    await button(page, 'Delete Hall').waitFor()
    await looksRight(page, 'feeds')
    await button(page, 'Delete Hall').click()
    await looksRight(page, 'delete')
    await page.getByRole('dialog', { name: 'Delete “Hall”?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('You have none yet.').waitFor()
    assert.equal((await world.anonymous.send({ method: 'GET', url: url.slice(address.length) })).status, 404)
    const focused = () => page.evaluate(() => document.activeElement!.textContent)
    assert.equal(await focused(), 'Your links')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await button(page, 'I have copied it').click()
    assert.equal(await focused(), 'Your links')

    await page.getByRole('link', { name: 'API tokens' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Website')
    assert.equal(await page.getByLabel(/Administer/).count(), 0, 'nobody is offered more than they may')
    await page.getByLabel('Read all events, including private ones').uncheck()
    await button(page, 'Create a token').click()
    await page.getByText('Tick at least one.').waitFor()
    await page.getByLabel('Read all events, including private ones').check()
    await page.getByLabel('Valid for').selectOption('30 days')
    await button(page, 'Create a token').click()
    const token = await page.getByLabel('Token', { exact: true }).inputValue()
    const program = world.with({ authorization: `Bearer ${token}` })
    assert.equal((await program.get('/events?view=day')).status, 200)
    await page.getByText('Valid until 9 Aug 2026').waitFor()
    await looksRight(page, 'tokens')

    await world.signIn('writer@example.org', password)
    await world.signIn('writer@example.org', password)
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.getByText('Chrome on Linux').waitFor()
    assert.equal(await page.getByRole('listitem').count(), 3)
    await looksRight(page, 'sessions')
    await button(page, 'End all other sessions').click()
    await page.getByText('You are not signed in anywhere else.').waitFor()
    const elsewhere = await world.signIn('writer@example.org', password)
    await button(page, 'Sign out everywhere').click()
    await heading(page, 'Sign in').waitFor()
    assert.equal((await elsewhere.get('/auth/session')).status, 401)
    assert.equal((await program.get('/events?view=day')).status, 200, 'tokens stay')
  }),
)

browserTest('every account page is legible in light and dark, on a phone and on a desktop', () =>
  withBrowser(async ({ world, address, visitor, signedIn }) => {
    const id = await world.addPerson('ann@example.org', 'writer')
    const page = await visitor()
    for (const [path, name] of [
      ['/sign-in', 'sign-in'],
      ['/register', 'register'],
      ['/forgot-password', 'forgot'],
      [`/verify#t=${await mintToken(world, 'verify', id)}`, 'verify'],
      [`/reset-password#t=${await mintToken(world, 'reset', id)}`, 'reset'],
    ] as const) {
      await page.goto(address + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await looksRight(page, name)
    }
    const own = await signedIn('ann@example.org')
    await own.setViewportSize({ width: 320, height: 700 })
    await own.goto(`${address}/account`)
    const email = own.locator('.facts dd', { hasText: 'ann@example.org' })
    const lines = await email.evaluate((dd) => {
      const text = document.createRange()
      text.selectNodeContents(dd)
      return text.getClientRects().length
    })
    assert.equal(lines, 1, 'an address is not broken while there is room for it')
    await own.setViewportSize({ width: 1_280, height: 900 })
    await own.goto(`${address}/account/app-passwords`)
    await own.getByText('You have none yet.').waitFor()
    await own.evaluate(() => {
      for (const guide of document.querySelectorAll('details')) guide.open = true
    })
    await own.getByText(`Base URL: ${address}/`).waitFor()
    await looksRight(own, 'guide')
  }),
)
