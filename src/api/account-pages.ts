// The pages that links in mails lead to. Opening one uses nothing up; its button does.
import type { FastifyInstance } from 'fastify'
import type { Site } from '../http/site.ts'
import { script } from './account-pages/script.ts'
import { style } from './account-pages/style.ts'
import { type Html, html, verbatim } from './docs-page/html.ts'
import { makePage, sendStatic } from './static.ts'

interface AccountPage {
  path: string
  /** The operation of the API that its button asks for. */
  operation: string
  title: string
  lead: string
  fields?: Html
  button: string
  /** What is said when it worked. */
  done: string
  /** In its place, for somebody who waits for an administrator. */
  doneWaiting?: string
  /** And for somebody whose password ended with it. */
  donePassword?: string
  after?: Html
}

export function addAccountPages(app: FastifyInstance, site: Site, siteName: string): void {
  for (const page of pagesOf(site)) {
    const { markup } = document(page, site, siteName)
    const bytes = makePage({ html: markup, script, style, isTalking: true })
    app.get(`${site.root}${page.path}`, { config: { isPage: true } }, async (request, reply) =>
      sendStatic(request, reply, bytes),
    )
  }
}

const pagesOf = (site: Site): AccountPage[] => [
  {
    path: '/verify',
    operation: '/users/verify',
    title: 'Verify your email address',
    lead: 'Press the button to say that this address is yours.',
    button: 'Verify my address',
    done: 'Your email address is verified.',
    doneWaiting: 'Your email address is verified. An administrator will look at your request; you will hear from them.',
    donePassword:
      'Your email address is verified. It was asked for more than once, so another mail is on its way, to choose your password.',
  },
  {
    path: '/reset-password',
    operation: '/users/reset-password',
    title: 'Choose a new password',
    lead: 'It replaces the old one. You will be signed out everywhere, and devices need new app passwords.',
    fields: html`<label for="password">New password</label>
<div class="pair"><input id="password" name="password" type="password" autocomplete="new-password" aria-describedby="hint outcome">
<button type="button" id="show" aria-pressed="false" aria-controls="password">Show</button></div>
<p id="hint" class="hint">12 characters or more. A few unrelated words make a good one.</p>`,
    button: 'Change my password',
    done: 'Your password is changed. Sign in with the new one.',
    after: html`<p class="hint" id="after"><a href="${site.root}/forgot-password">Ask for a new link</a></p>`,
  },
  {
    path: '/forgot-password',
    operation: '/users/forgot-password',
    title: 'Forgotten password',
    lead: 'If the address belongs to an account, we send a link to choose a new password.',
    fields: html`<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" aria-describedby="outcome">`,
    button: 'Send me a link',
    done: 'If this address belongs to an account, a mail is on its way. The link in it is good for an hour.',
  },
]

const document = (page: AccountPage, site: Site, siteName: string): Html => html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} – ${siteName}</title>
<style>${verbatim(style)}</style>
</head>
<body>
<main>
<p class="site">${siteName}</p>
<h1>${page.title}</h1>
<noscript><p class="bad">This page needs JavaScript, which is switched off here.</p></noscript>
<form method="post" novalidate data-api="${site.base}" data-operation="${page.operation}" data-done="${page.done}" data-done-waiting="${page.doneWaiting}" data-done-password="${page.donePassword}">
<p>${page.lead}</p>
${page.fields}
<button type="submit">${page.button}</button>
</form>
<p id="outcome" role="status" tabindex="-1"></p>
${page.after}
</main>
<script>${verbatim(script)}</script>
</body>
</html>
`
