// The words that people read in the web app and the embedded elements, in the language in use.
import type * as accountPart from './words/english/account.ts'
import type * as editorPart from './words/english/editor.ts'
import type * as embeddedPart from './words/english/embedded.ts'
import type * as firstPart from './words/english/first.ts'
import type * as pastPart from './words/english/past.ts'
import type * as peoplePart from './words/english/people.ts'
import type * as serverPart from './words/english/server.ts'
import type * as setupPart from './words/english/setup.ts'

/** Each part is one file of a language, and is loaded by itself. English defines its shape. */
export interface WordParts {
  first: typeof firstPart
  account: typeof accountPart
  setup: typeof setupPart
  editor: typeof editorPart
  past: typeof pastPart
  people: typeof peoplePart
  server: typeof serverPart
  embedded: typeof embeddedPart
}

type AdminWords = WordParts['people']['admin'] & WordParts['server']['admin']

// Live bindings: a part is set before a module that uses it runs.
export let frame: WordParts['first']['frame']
export let common: WordParts['first']['common']
export let calendar: WordParts['first']['calendar']
export let errors: WordParts['first']['errors']
export let fields: WordParts['first']['fields']
export let rule: WordParts['first']['rule']
export let times: WordParts['first']['times']
export let account: WordParts['account']['account']
export let setup: WordParts['setup']['setup']
export let embed: WordParts['setup']['embed']
export let editor: WordParts['editor']['editor']
export let trash: WordParts['past']['trash']
export let history: WordParts['past']['history']
export let admin: AdminWords
export let embedded: WordParts['embedded']['embedded']

type Setters = { [Part in keyof WordParts]: (words: WordParts[Part]) => void }

export const setWords: Setters = {
  first: (words) => {
    ;({ frame, common, calendar, errors, fields, rule, times } = words)
  },
  account: (words) => {
    ;({ account } = words)
  },
  setup: (words) => {
    ;({ setup, embed } = words)
  },
  editor: (words) => {
    ;({ editor } = words)
  },
  past: (words) => {
    ;({ trash, history } = words)
  },
  people: (words) => {
    admin = { ...admin, ...words.admin }
  },
  server: (words) => {
    admin = { ...admin, ...words.admin }
  },
  embedded: (words) => {
    ;({ embedded } = words)
  },
}
