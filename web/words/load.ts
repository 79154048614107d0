// Loads the words of the language in use, part by part; each part is a file of its own in the build.
import type { Language } from '../../src/domain/languages.ts'
import { setWords, type WordParts } from '../strings.ts'

/** What pages load; the words of the embedded elements are in a build of their own. */
export type PagePart = Exclude<keyof WordParts, 'embedded'>

type Loaders = { [Part in PagePart]: () => Promise<WordParts[Part]> }

const LOADERS: Record<Language, Loaders> = {
  'en-GB': {
    first: () => import('./english/first.ts'),
    account: () => import('./english/account.ts'),
    setup: () => import('./english/setup.ts'),
    editor: () => import('./english/editor.ts'),
    past: () => import('./english/past.ts'),
    people: () => import('./english/people.ts'),
    server: () => import('./english/server.ts'),
  },
  'en-US': {
    first: () => import('./american/first.ts'),
    account: () => import('./american/account.ts'),
    setup: () => import('./american/setup.ts'),
    editor: () => import('./american/editor.ts'),
    past: () => import('./english/past.ts'),
    people: () => import('./american/people.ts'),
    server: () => import('./english/server.ts'),
  },
  de: {
    first: () => import('./german/first.ts'),
    account: () => import('./german/account.ts'),
    setup: () => import('./german/setup.ts'),
    editor: () => import('./german/editor.ts'),
    past: () => import('./german/past.ts'),
    people: () => import('./german/people.ts'),
    server: () => import('./german/server.ts'),
  },
  fr: {
    first: () => import('./french/first.ts'),
    account: () => import('./french/account.ts'),
    setup: () => import('./french/setup.ts'),
    editor: () => import('./french/editor.ts'),
    past: () => import('./french/past.ts'),
    people: () => import('./french/people.ts'),
    server: () => import('./french/server.ts'),
  },
  es: {
    first: () => import('./spanish/first.ts'),
    account: () => import('./spanish/account.ts'),
    setup: () => import('./spanish/setup.ts'),
    editor: () => import('./spanish/editor.ts'),
    past: () => import('./spanish/past.ts'),
    people: () => import('./spanish/people.ts'),
    server: () => import('./spanish/server.ts'),
  },
  cy: {
    first: () => import('./welsh/first.ts'),
    account: () => import('./welsh/account.ts'),
    setup: () => import('./welsh/setup.ts'),
    editor: () => import('./welsh/editor.ts'),
    past: () => import('./welsh/past.ts'),
    people: () => import('./welsh/people.ts'),
    server: () => import('./welsh/server.ts'),
  },
  pl: {
    first: () => import('./polish/first.ts'),
    account: () => import('./polish/account.ts'),
    setup: () => import('./polish/setup.ts'),
    editor: () => import('./polish/editor.ts'),
    past: () => import('./polish/past.ts'),
    people: () => import('./polish/people.ts'),
    server: () => import('./polish/server.ts'),
  },
}

let language: Language = 'en-GB'
const loaded = new Map<PagePart, Promise<void>>()
const ready = new Set<PagePart>()

/** Call once, before anything is loaded. */
export const useLanguage = (chosen: Language): void => {
  language = chosen
}

export const languageInUse = (): Language => language

/** Whether the part can be used now. */
export const hasWords = (part: PagePart): boolean => ready.has(part)

export const loadWords = async (...parts: PagePart[]): Promise<void> => {
  await Promise.all(parts.map(loadPart))
}

/** A load that failed is tried again with the next call. */
function loadPart<Part extends PagePart>(part: Part): Promise<void> {
  const known = loaded.get(part)
  if (known) return known
  const loading = LOADERS[language][part]().then((words) => {
    setWords[part](words as WordParts[Part])
    ready.add(part)
  })
  loaded.set(part, loading)
  loading.catch(() => loaded.delete(part))
  return loading
}
