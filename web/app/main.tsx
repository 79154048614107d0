// Entry point of the web app: loads the words of the reader's language, then draws the app.
import { render } from 'preact'
import { findLanguage, LANGUAGES } from '../../src/domain/languages.ts'
import '../style/tokens.css'
import '../style/base.css'
import { site } from '../site.ts'
import { findChoice } from '../words/language.ts'
import { loadWords, useLanguage } from '../words/load.ts'
import { Frame } from './frame.tsx'
import { followLinks } from './router.tsx'
import { takeOverServedPage } from './served-page.ts'
import { refreshSession, session, watchOtherTabs } from './session.ts'

const page = document.documentElement
const chosen = findChoice(site.root, location.search)
if (chosen && chosen !== page.lang) {
  page.lang = chosen
  page.dir = 'ltr'
}
useLanguage(chosen ?? findLanguage(page.lang) ?? LANGUAGES[0])
followLinks()
watchOtherTabs()
if (session.get().state === 'unknown') void refreshSession()
takeOverServedPage(session.get().state === 'unknown')
void loadWords('first').then(() => render(<Frame />, document.getElementById('app')!))
