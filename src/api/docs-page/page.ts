// Frame of every page of the API manual: head, search form, navigation, previous and next page.

import { frame as words } from '../../words/manual.ts'
import { MAX_MANUAL_QUERY } from '../../words/manual-search.ts'
import { type Html, html, prose, verbatim } from './html.ts'
import { type Manual, pagePath } from './manual.ts'
import { style } from './style.ts'

export interface ManualPage {
  /** '' is the first page. The search result is in no list of pages. */
  slug: string
  title: string
  lead: string
  body: Html
}

interface PageLink {
  slug: string
  title: string
}

export const SEARCH = 'search'

/** In the order of reading. */
export const pageLinks = ({ groups }: Manual): PageLink[] => [
  { slug: '', title: words.overview },
  ...groups.map(({ slug, title }) => ({ slug, title })),
  { slug: 'errors', title: words.errors },
]

const addressOf = (manual: Manual, { slug }: PageLink): string => (slug ? pagePath(manual, slug) : manual.root)

export function writeManualPage(manual: Manual, { slug, title, lead, body }: ManualPage, sought = ''): string {
  const { document, place } = manual
  const { info } = document
  const links = pageLinks(manual)
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${slug ? `${title} – ${info.title}` : title}</title>
<style>${verbatim(style)}</style>
${
  place.files &&
  html`<link rel="icon" type="image/svg+xml" href="${place.files.icon}">
<script type="module" src="${place.files.script}"></script>`
}
</head>
<body data-manual="${manual.root}">
<a class="skip" href="#content">${words.skip}</a>
<header>
<p class="site"><a href="${manual.root}">${info.title}</a> <span>${words.version(info.version)}</span></p>
<form class="search" role="search" action="${pagePath(manual, SEARCH)}">
<label for="q">${words.search}</label>
<div><input id="q" name="q" type="search" value="${sought}" maxlength="${MAX_MANUAL_QUERY}" autocomplete="off" spellcheck="false"><button type="submit">${words.find}</button></div>
<div class="found" hidden></div>
</form>
</header>
<div class="columns">
<nav class="pages" aria-label="${words.pages}">
<ul>${links.map((link) => html`<li><a href="${addressOf(manual, link)}"${link.slug === slug ? html` aria-current="page"` : undefined}>${link.title}</a></li>`)}</ul>
</nav>
<main id="content" tabindex="-1">
<h1>${title}</h1>
${lead ? html`<p class="lead">${prose(lead)}</p>` : undefined}
${body}
${neighbours(manual, slug, links)}
</main>
</div>
</body>
</html>
`.markup
}

function neighbours(manual: Manual, slug: string, links: readonly PageLink[]): Html | undefined {
  const at = links.findIndex((link) => link.slug === slug)
  if (at === -1) return undefined
  const [previous, next] = [links[at - 1], links[at + 1]]
  return html`<nav class="neighbours" aria-label="${words.neighbours}">
${previous ? html`<a rel="prev" href="${addressOf(manual, previous)}"><span>${words.previous}</span> ${previous.title}</a>` : undefined}
${next ? html`<a rel="next" href="${addressOf(manual, next)}"><span>${words.next}</span> ${next.title}</a>` : undefined}
</nav>`
}
