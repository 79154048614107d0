// The page for browsers in place of an event’s: there is none, or there are too many requests.
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { isAllowedTransport } from '../../http/guard/request-target.ts'
import { prefersPage } from '../../http/responses/accept.ts'
import type { ErrorRenderer } from '../../http/responses/errors.ts'
import type { Site } from '../../http/site.ts'
import { wordsFor } from '../../words/words.ts'
import { html, verbatim } from '../docs-page/html.ts'
import { languageChosenBy, languageOf, withLanguage } from '../page-language.ts'
import { pagePolicy } from '../static.ts'
import { styleWith } from './style.ts'

const MISSING = 'event_not_found'
const PROBLEMS: readonly string[] = [MISSING, 'rate_limited', 'service_unavailable']

/** Complete without a script, as the page would be; programs get the error as JSON. */
export const createProblemRenderer = (ctx: Context, site: Site): ErrorRenderer => ({
  owns: (request, code) =>
    PROBLEMS.includes(code) &&
    request.url.startsWith(`${site.root}/events/`) &&
    (request.method === 'GET' || request.method === 'HEAD') &&
    prefersPage(request.headers.accept) &&
    isAllowedTransport(request.peer, site, false),
  headersOf: (_, request) => ({
    'content-language': languageOf(ctx, request),
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyFor(request),
    'x-robots-tag': 'noindex',
  }),
  renderError: (code, _, request) => writeProblem(ctx, site, request, code === MISSING),
})

/** A card that is gone is in the frame of another site. */
const policyFor = ({ url }: FastifyRequest): string => (/\/card(?:\?|$)/.test(url) ? FRAMED : ALONE)

const style = styleWith('')
const ALONE = pagePolicy({ style })
const FRAMED = pagePolicy({ style, frameAncestors: '*' })

function writeProblem(ctx: Context, { root }: Site, request: FastifyRequest, isMissing: boolean): string {
  const language = languageOf(ctx, request)
  const { eventPage, frame } = wordsFor(language)
  const { missing, missingHint, busy, busyHint } = eventPage
  const home = withLanguage(`${root}/`, languageChosenBy(request.query))
  const { siteName } = ctx.config
  const title = isMissing ? missing : busy
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} – ${siteName}</title>
<link rel="icon" type="image/svg+xml" href="${root}/favicon.svg">
<style>${verbatim(style)}</style>
</head>
<body>
<header><p><a href="${home}" target="_top">${siteName}</a></p></header>
<main>
<h1>${title}</h1>
<p>${isMissing ? missingHint : busyHint}</p>
<p><a href="${home}" target="_top">${frame.toCalendar}</a></p>
</main>
</body>
</html>
`.markup
}
