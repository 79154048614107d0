// Loads the words of the embedded elements, in one language for all elements of a page.
import { findLanguage, type Language } from '../../src/domain/languages.ts'
import { setWords, type WordParts } from '../strings.ts'

interface EmbedLoaders {
  embedded: () => Promise<WordParts['embedded']>
  /** For the whole calendar. */
  first: () => Promise<WordParts['first']>
}

const LOADERS: Record<Language, EmbedLoaders> = {
  'en-GB': {
    embedded: () => import('../words/english/embedded.ts'),
    first: () => import('../words/english/first.ts'),
  },
  'en-US': {
    embedded: () => import('../words/american/embedded.ts'),
    first: () => import('../words/american/first.ts'),
  },
  de: {
    embedded: () => import('../words/german/embedded.ts'),
    first: () => import('../words/german/first.ts'),
  },
  fr: {
    embedded: () => import('../words/french/embedded.ts'),
    first: () => import('../words/french/first.ts'),
  },
  es: {
    embedded: () => import('../words/spanish/embedded.ts'),
    first: () => import('../words/spanish/first.ts'),
  },
  cy: {
    embedded: () => import('../words/welsh/embedded.ts'),
    first: () => import('../words/welsh/first.ts'),
  },
  pl: {
    embedded: () => import('../words/polish/embedded.ts'),
    first: () => import('../words/polish/first.ts'),
  },
}

let language: Language | undefined
let isLoaded = false

/** Whether `embedded` can be used now. */
export const hasEmbedWords = (): boolean => isLoaded

export async function loadEmbedWords(element: HTMLElement): Promise<void> {
  setWords.embedded(await LOADERS[languageFor(element)].embedded())
  isLoaded = true
}

export const loadGridWords = async (element: HTMLElement): Promise<void> =>
  setWords.first(await LOADERS[languageFor(element)].first())

/** The first element decides: that of its `lang` attribute or of the page around it, else of the browser. */
export function languageFor(element: HTMLElement): Language {
  const ofPage = findLanguage(element.closest<HTMLElement>('[lang]')?.lang ?? '')
  language ??= ofPage ?? navigator.languages.map(findLanguage).find(Boolean) ?? 'en-GB'
  return language
}
