// Facts about the site (root, API path, name, zone) that the server embedded in the page as JSON.
import type { SiteFacts } from '../src/contract/site.ts'
import type { Language } from '../src/domain/languages.ts'
import { weekStartOf } from '../src/domain/time/week-start.ts'

export const site: SiteFacts = JSON.parse(document.getElementById('site')!.textContent!)

/** Monday is 0. The page may have been sent in another language than that in use. */
export const weekStartIn = (language: Language): number =>
  site.is_week_start_by_language ? weekStartOf(language) : site.week_start

/** The path of a page or a file of this site. */
export const pathUnder = (path: string): string => `${site.root}${path}`

/** The absolute URL, for use outside this browser. */
export const absoluteUrl = (path: string): string => `${site.origin}${site.root}${path}`

/** Pages that follow one whose address names a language name it too, so that the service sends them in it. */
export function withLanguage(to: string): string {
  const lang = new URLSearchParams(location.search).get('lang')
  if (lang === null || /[?&]lang=/.test(to)) return to
  const [path = '', fragment] = to.split('#', 2)
  const asked = `${path}${path.includes('?') ? '&' : '?'}lang=${encodeURIComponent(lang)}`
  return fragment === undefined ? asked : `${asked}#${fragment}`
}
