// Languages of the pages and mails, and the choice among them by Accept-Language. RFC 9110 §12.5.4.

/** BCP 47 tags. The first is the source of all translations. */
export const LANGUAGES = ['en-GB', 'en-US', 'de', 'fr', 'es', 'cy', 'pl'] as const

export type Language = (typeof LANGUAGES)[number]

/** Each in its own language, for choices. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  'en-GB': 'English (UK)',
  'en-US': 'English (US)',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  cy: 'Cymraeg',
  pl: 'Polski',
}

/** Browsers name about five. */
const MAX_RANGES = 20

/** The language of this tag, or of its first part: `de-AT` is German. Case does not matter. */
export function findLanguage(tag: string): Language | undefined {
  const wanted = tag.trim().toLowerCase()
  const exact = LANGUAGES.find((language) => language.toLowerCase() === wanted)
  if (exact) return exact
  const [base] = wanted.split('-')
  return LANGUAGES.find((language) => language.toLowerCase().split('-')[0] === base)
}

/** The language with the highest weight that is offered; the earlier one of equals. */
export function negotiateLanguage(accept: string | undefined, fallback: Language): Language {
  if (!accept) return fallback
  let best: { language: Language; weight: number } | undefined
  for (const range of accept.split(',', MAX_RANGES)) {
    const [tag = '', ...parameters] = range.split(';').map((text) => text.trim().toLowerCase())
    const weight = weightOf(parameters)
    const language = tag === '*' ? fallback : preferredOf(tag, fallback)
    if (language && weight > (best?.weight ?? 0)) best = { language, weight }
  }
  return best?.language ?? fallback
}

/** `en` alone says nothing about the country: the calendar's own English is meant if it has one. */
const preferredOf = (tag: string, fallback: Language): Language | undefined =>
  fallback.toLowerCase().split('-')[0] === tag ? fallback : findLanguage(tag)

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
  return weight === undefined ? 1 : Math.min(Number(weight) || 0, 1)
}
