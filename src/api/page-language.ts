// The language of a page: `?lang=`, else Accept-Language, else the calendar's own.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { findLanguage, LANGUAGE_NAMES, LANGUAGES, type Language, negotiateLanguage } from '../domain/languages.ts'
import type { CacheSlot } from '../http/responses/fast-path.ts'
import { rememberValues } from '../http/responses/remember-values.ts'
import type { ResponseCache } from '../http/responses/response-cache.ts'
import { type Html, html } from './docs-page/html.ts'

export const languageOf = (ctx: Context, { query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Language =>
  languageChosenBy(query) ?? acceptedLanguage(headers['accept-language'], ctx.config.language)

function acceptedLanguage(accept: string | undefined, fallback: Language): Language {
  if (!accept) return fallback
  const accepted = acceptedBy.get(fallback) ?? rememberValues((value) => negotiateLanguage(value, fallback))
  acceptedBy.set(fallback, accepted)
  return accepted(accept)
}

/** By the calendar's own language, which is a setting. */
const acceptedBy = new Map<Language, (accept: string) => Language>()

/** By the address; undefined if the reader’s browser or the calendar decides. */
export function languageChosenBy(query: unknown): Language | undefined {
  const { lang } = query as { lang?: unknown }
  return typeof lang === 'string' ? findLanguage(lang) : undefined
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

/** Such as `de_DE`, as Open Graph names languages. */
export function openGraphLocaleOf(tag: Language): string {
  const { language, region } = new Intl.Locale(tag).maximize()
  return `${language}_${region}`
}

/** Links of a page keep the language that its address chose. */
export const withLanguage = (address: string, language: Language | undefined): string =>
  language ? `${address}${address.includes('?') ? '&' : '?'}lang=${language}` : address

/**
 * For search engines: the address that they keep, and the same page in each language. A page whose address chose a
 * language is canonical with it: what others name as a language is ignored if it names another address itself.
 */
export const addressLinks = (address: string, chosen: Language | undefined): Html =>
  html`<link rel="canonical" href="${withLanguage(address, chosen)}">
${LANGUAGES.map((language) => html`<link rel="alternate" hreflang="${language}" href="${withLanguage(address, language)}">\n`)}<link rel="alternate" hreflang="x-default" href="${address}">`

/** For readers without scripts, at the end of a page; `address` is that of the page, or empty if it has no query. */
export const languageLinks = (current: Language, label: string, address = ''): Html =>
  html`<nav class="languages" aria-label="${label}"><ul>
${LANGUAGES.filter((language) => language !== current).map(
  (language) =>
    html`<li><a href="${withLanguage(address, language)}" hreflang="${language}" lang="${language}">${LANGUAGE_NAMES[language]}</a></li>\n`,
)}</ul></nav>`
