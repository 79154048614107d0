// Entry point of the web app: loads the words of the reader's language, then the app.
import '../style/tokens.css'
import '../style/base.css'
import { findLanguage, LANGUAGES } from '../../src/domain/languages.ts'
import { site } from '../site.ts'
import { findChoice } from '../words/language.ts'
import { loadWords, useLanguage } from '../words/load.ts'

const page = document.documentElement
const chosen = findChoice(site.root, location.search)
if (chosen && chosen !== page.lang) {
  page.lang = chosen
  page.dir = 'ltr'
}
useLanguage(chosen ?? findLanguage(page.lang) ?? LANGUAGES[0])
const app = import('./start.tsx')
void loadWords('first')
  .then(() => app)
  .then(({ start }) => start())
