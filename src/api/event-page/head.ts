// Head of an event's page: canonical address, Open Graph, Twitter card, oEmbed, JSON-LD.
import type { ShownEvent } from '../../domain/privacy/mask.ts'
import { type Html, html, verbatim } from '../docs-page/html.ts'
import { addressLinks, openGraphLocaleOf } from '../page-language.ts'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from '../previews/picture-size.ts'
import { findBuiltWebApp } from '../web-app/files.ts'
import { languageScriptTag } from '../web-app/language-script.ts'
import { pathOf, shownAt, statusAndWhen, type WrittenFacts } from './page-facts.ts'
import { picturePathOf } from './preview-path.ts'
import { structuredData } from './structured-data.ts'

export function headOf(facts: WrittenFacts): Html {
  const { site } = facts
  const shown = shownAt(facts)
  const address = `${site.origin}${pathOf(facts)}`
  return html`${shown.level === 'masked' ? html`<meta name="robots" content="noindex">` : previewOf(facts, shown, address)}
<link rel="icon" type="image/svg+xml" href="${site.root}/favicon.svg">
${['json', 'xml'].map((format) => html`<link rel="alternate" type="${OEMBED_TYPES[format]}" href="${site.origin}${site.root}/oembed?${new URLSearchParams({ url: address, format }).toString()}">\n`)}${languageScriptTag(site.root, findBuiltWebApp()?.languageScript)}
<script type="module" src="${site.root}/event-page.js"></script>`
}

const OEMBED_TYPES: Record<string, string> = { json: 'application/json+oembed', xml: 'text/xml+oembed' }

function previewOf(facts: WrittenFacts, shown: Exclude<ShownEvent, { level: 'masked' }>, address: string): Html {
  const { site, words, language } = facts
  const { title, location } = shown.details
  const when = statusAndWhen(shown, site, words)
  const summary = location ? `${when} · ${location}` : when
  return html`<meta name="description" content="${summary}">
${addressLinks(address, facts.chosen)}
<meta property="og:type" content="website">
<meta property="og:site_name" content="${site.name}">
<meta property="og:locale" content="${openGraphLocaleOf(language)}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${summary}">
<meta property="og:url" content="${address}">
${pictureTags(`${site.origin}${picturePathOf(facts)}`, words.eventPage.picture(title, when))}
<script type="application/ld+json">${verbatim(jsonInMarkup(structuredData(facts) ?? {}))}</script>`
}

/** Twitter takes title and description from Open Graph. */
export const pictureTags = (address: string, description: string): Html =>
  html`<meta property="og:image" content="${address}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${PICTURE_WIDTH}">
<meta property="og:image:height" content="${PICTURE_HEIGHT}">
<meta property="og:image:alt" content="${description}">
<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:image:alt" content="${description}">`

/** Escapes `<`, so that no text can end the script element. */
const jsonInMarkup = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c')
