// HTML page of the web app and its CSP: title, site facts and assets; the same for every client.
import type { SiteFacts } from '../../contract/site.ts'
import type { Language } from '../../domain/languages.ts'
import type { View } from '../../domain/time/window.ts'
import { wordsFor } from '../../words/words.ts'
import { type Html, html, verbatim } from '../docs-page/html.ts'
import { pictureTags } from '../event-page/head.ts'
import { sitePicturePath } from '../event-page/preview-path.ts'
import { openGraphLocaleOf } from '../page-language.ts'
import { sourceHash } from '../static.ts'
import type { BuiltWebApp } from './files.ts'
import { languageScriptTag } from './language-script.ts'
import { writeScriptNeeded } from './without-script.ts'

/** CSP: the browser may load from and connect to this site only. */
const policyWith = (frameAncestors: string, scriptHash?: string, style = ''): string =>
  [
    "default-src 'none'",
    `script-src 'self'${scriptHash === undefined ? '' : ` '${scriptHash}'`}`,
    `style-src 'self'${style === '' ? '' : ` '${sourceHash(style)}'`}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')

/** CSP of the only page that other sites may embed: it uses no account and changes nothing. */
export const framePolicy = (sites: readonly string[]): string => policyWith(["'self'", ...sites].join(' '))

/** What the service writes of a page that the web app takes over. */
export interface PageContent {
  title: string
  /** The view of the calendar that the address asks for. */
  view: View | undefined
  head: Html
  /** Inside the page, with nothing of what people wrote; empty for none. */
  style: string
  body: Html
}

/** The browser takes the script and the style sheet inside the page by their hashes, and no others. */
export const policyOf = (built: BuiltWebApp | undefined, content?: PageContent): string =>
  policyWith("'none'", built?.languageScript?.hash, content?.style)

/** The page of the web app; without content it is empty until the app has loaded, or says why it stays so. */
export function writePage(
  facts: SiteFacts,
  { scripts, styles, languageScript, preloads, calendar }: BuiltWebApp,
  language: Language,
  content?: PageContent,
  writeWithoutScript = writeScriptNeeded,
): string {
  const words = wordsFor(language)
  const summary = words.appPage.description(facts.name)
  const viewScripts = content?.view && calendar.views[content.view]
  const next = new Set([...preloads(language), ...(content ? calendar.scripts : []), ...(viewScripts ?? [])])
  return writeDocument(
    language,
    content?.title ?? facts.name,
    html`<meta name="description" content="${summary}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${facts.name}">
<meta property="og:description" content="${summary}">
<meta property="og:title" content="${facts.name}">
<meta property="og:url" content="${facts.origin}${facts.root}/">
<meta property="og:locale" content="${openGraphLocaleOf(language)}">
${pictureTags(`${facts.origin}${sitePicturePath(facts)}`, facts.name)}
<link rel="icon" type="image/svg+xml" href="${facts.root}/favicon.svg">
<link rel="alternate" type="text/calendar" title="${facts.name}" href="${facts.api}/public/calendar.ics">
<link rel="alternate" type="application/atom+xml" title="${facts.name}" href="${facts.root}/feed.xml">
<link rel="alternate" type="application/feed+json" title="${facts.name}" href="${facts.root}/feed.json">
${content?.head}
${languageScriptTag(facts.root, languageScript)}
${[...styles, ...(content ? calendar.styles : [])].map((path) => html`<link rel="stylesheet" href="${facts.root}${path}">`)}
${content?.style ? html`<style>${verbatim(content.style)}</style>` : undefined}
${scripts.map((path) => html`<script type="module" src="${facts.root}${path}"></script>`)}
${[...next].map((path) => html`<link rel="modulepreload" href="${facts.root}${path}">`)}
<script type="application/json" id="site">${verbatim(jsonInMarkup(facts))}</script>`,
    content
      ? html`${content.body}
<div id="app" class="waiting"></div>`
      : html`${writeWithoutScript(facts, words)}
<div id="app"></div>`,
  )
}

export const writeFrame = (siteName: string, root: string, language: Language): string =>
  writeDocument(
    language,
    siteName,
    html`<meta name="robots" content="noindex">
<script type="module" src="${root}/frame.js"></script>`,
  )

const writeDocument = (language: Language, title: string, head: Html, body?: Html): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head}
</head>
<body>${body}</body>
</html>
`.markup

/** Escapes `<`, so that no text can end the script element. */
const jsonInMarkup = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c')
