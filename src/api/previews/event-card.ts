// The card of an event, which other sites show in a frame: title, time, place and a link.
import type { Language } from '../../domain/languages.ts'
import { wordsFor } from '../../words/words.ts'
import { html, verbatim } from '../docs-page/html.ts'
import { type EventPageFacts, isCancelled, pathOf, shownAt, titleOf, whenOf } from '../event-page/page-facts.ts'
import { pagePolicy } from '../static.ts'

export const CARD_WIDTH = 600
export const CARD_HEIGHT = 220

const style = `
:root {
  color-scheme: light dark;
  --card: #ffffff; --ink: #1c2330; --muted: #56606f; --line: #c9c3b4; --accent: #0a5a69; --off: #a3241d;
}
@media (prefers-color-scheme: dark) {
  :root { --card: #181e26; --ink: #e5e9ef; --muted: #a2acb9; --line: #2b3440; --accent: #7fcbda; --off: #ff9d94; }
}
* { box-sizing: border-box; }
html, body { margin: 0; min-height: 100%; }
body {
  background: var(--card); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.45 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main { min-height: 100vh; padding: .9rem 1.1rem; border: 1px solid var(--line); border-left: .4rem solid var(--accent); }
h1 { margin: .1rem 0 .5rem; font-size: 1.3rem; line-height: 1.25; }
h1 a { color: inherit; text-decoration-color: var(--accent); text-underline-offset: .15em; }
p { margin: .15rem 0; }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.site { color: var(--accent); font-weight: 650; font-size: .9rem; }
.when { font-weight: 600; }
.quiet { color: var(--muted); }
.off { color: var(--off); font-weight: 650; }
`

/** Any site may show it: it uses no account, has one link, sends no request and changes nothing. */
export const CARD_POLICY = pagePolicy({ style, loadsScript: true, connects: false, frameAncestors: '*' })

export function writeCard(facts: EventPageFacts, language: Language): string {
  const { site } = facts
  const words = wordsFor(language)
  const shown = shownAt(facts)
  const title = titleOf(shown, words)
  const location = shown.level === 'masked' ? null : shown.details.location
  const address = `${site.origin}${pathOf(facts)}`
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} – ${site.name}</title>
<link rel="canonical" href="${address}">
<style>${verbatim(style)}</style>
<script type="module" src="${site.root}/event-card.js"></script>
</head>
<body>
<main>
<p class="site">${site.name}</p>
<h1><a href="${address}" target="_blank" rel="noopener">${title}</a></h1>
${isCancelled(shown) ? html`<p class="off">${words.eventPage.cancelledMark}</p>\n` : undefined}<p class="when">${whenOf(shown, site, words)}</p>
${shown.timing.allDay ? undefined : html`<p class="quiet">${words.eventPage.timesIn(site.zone.name)}</p>\n`}${location ? html`<p class="quiet">${location}</p>\n` : undefined}</main>
</body>
</html>
`.markup
}
