// The language of a page: `?lang=`, else Accept-Language, else the calendar's own.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { findLanguage, LANGUAGE_NAMES, LANGUAGES, type Language, negotiateLanguage } from '../domain/languages.ts'
import type { CacheSlot } from '../http/responses/fast-path.ts'
import type { ResponseCache } from '../http/responses/response-cache.ts'
import { type Html, html } from './docs-page/html.ts'

export function languageOf(ctx: Context, { query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Language {
  const { lang } = query as { lang?: unknown }
  const asked = typeof lang === 'string' ? findLanguage(lang) : undefined
  return asked ?? negotiateLanguage(headers['accept-language'], ctx.config.language)
}

/** Where a page is cached, one form for each language; the same URL is another page for another reader. */
export function slotByLanguage(ctx: Context, request: FastifyRequest, cache: ResponseCache, key: string): CacheSlot {
  const { query } = request
  const keyOf = (headers: IncomingHttpHeaders): string => `${languageOf(ctx, { query, headers })} ${key}`
  return { cache, key: keyOf(request.headers), keyOf }
}

export const languageHeaders = (language: Language): Record<string, string> => ({
  'content-language': language,
  vary: 'Accept-Language',
})

/** The same page in the other languages, for search engines; `address` has no query. */
export const alternateLinks = (address: string): Html =>
  html`${LANGUAGES.map((language) => html`<link rel="alternate" hreflang="${language}" href="${address}?lang=${language}">\n`)}<link rel="alternate" hreflang="x-default" href="${address}">`

/** For readers without scripts, at the end of a page. */
export const languageLinks = (current: Language, label: string): Html =>
  html`<nav class="languages" aria-label="${label}"><ul>
${LANGUAGES.filter((language) => language !== current).map(
  (language) =>
    html`<li><a href="?lang=${language}" hreflang="${language}" lang="${language}">${LANGUAGE_NAMES[language]}</a></li>\n`,
)}</ul></nav>`
