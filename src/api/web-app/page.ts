// HTML page of the web app and its CSP: title, site facts and assets; the same for every client.
import type { SiteFacts } from '../../contract/site.ts'
import type { Language } from '../../domain/languages.ts'
import { wordsFor } from '../../words/words.ts'
import { type Html, html, verbatim } from '../docs-page/html.ts'
import { alternateLinks } from '../page-language.ts'
import type { BuiltWebApp } from './files.ts'

/** CSP: the browser may load from and connect to this site only. */
const policyWith = (frameAncestors: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')

export const PAGE_POLICY = policyWith("'none'")

/** CSP of the only page that other sites may embed: it uses no account and changes nothing. */
export const framePolicy = (sites: readonly string[]): string => policyWith(["'self'", ...sites].join(' '))

export const writePage = (
  facts: SiteFacts,
  { scripts, styles, preloads }: BuiltWebApp,
  language: Language,
  path?: string,
): string =>
  writeDocument(
    language,
    facts.name,
    html`<meta name="description" content="${wordsFor(language).appPage.description(facts.name)}">
<meta property="og:type" content="website">
<meta property="og:title" content="${facts.name}">
<meta property="og:url" content="${facts.origin}${facts.root}/">
<link rel="icon" type="image/svg+xml" href="${facts.root}/favicon.svg">
<link rel="alternate" type="text/calendar" title="${facts.name}" href="${facts.api}/public/calendar.ics">
<link rel="alternate" type="application/atom+xml" title="${facts.name}" href="${facts.root}/feed.xml">
<link rel="alternate" type="application/feed+json" title="${facts.name}" href="${facts.root}/feed.json">
${styles.map((path) => html`<link rel="stylesheet" href="${facts.root}${path}">`)}
${path === undefined ? undefined : alternateLinks(`${facts.origin}${facts.root}${path}`)}
${preloads(language).map((path) => html`<link rel="modulepreload" href="${facts.root}${path}">`)}
${scripts.map((path) => html`<script type="module" src="${facts.root}${path}"></script>`)}
<script type="application/json" id="site">${verbatim(jsonInMarkup(facts))}</script>`,
    html`<div id="app"></div>
<noscript><p>${wordsFor(language).appPage.needsScript} <a href="${facts.api}/public/calendar.ics">calendar.ics</a></p></noscript>`,
  )

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
