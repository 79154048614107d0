// HTML of app pages without JavaScript: why they are empty, or that a page is missing.
import type { SiteFacts } from '../../contract/site.ts'
import type { SharedWords } from '../../words/words.ts'
import { type Html, html } from '../docs-page/html.ts'

export const writeScriptNeeded = (facts: SiteFacts, words: SharedWords): Html =>
  frameOf(
    facts,
    words,
    html`<h1>${facts.name}</h1>
<p>${words.appPage.needsScript} <a href="${facts.api}/public/calendar.ics">calendar.ics</a></p>`,
  )

export const writeMissing = (facts: SiteFacts, words: SharedWords): Html =>
  frameOf(
    facts,
    words,
    html`<h1>${words.frame.missingTitle}</h1>
<p>${words.frame.missing}</p>`,
  )

/** The calendar itself needs no script. */
const frameOf = ({ name, root }: SiteFacts, { frame }: SharedWords, content: Html): Html =>
  html`<noscript>
<header class="site-head"><a href="${root}/" class="site-name">${name}</a></header>
<main class="page narrow">
${content}
<p><a href="${root}/">${frame.toCalendar}</a></p>
</main>
</noscript>`
