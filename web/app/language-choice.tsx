// Select at the end of every page with the language in which this browser shows the pages.
import type { JSX } from 'preact'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../src/domain/languages.ts'
import { site } from '../site.ts'
import * as words from '../strings.ts'
import { browserLanguage, storeChoice } from '../words/language.ts'
import { languageInUse } from '../words/load.ts'

export const LanguageChoice = (): JSX.Element => (
  <footer class="site-foot">
    <label>
      {words.frame.language}{' '}
      <select value={languageInUse()} onChange={(event) => choose(event.currentTarget.value as Language)}>
        {LANGUAGES.map((language) => (
          <option key={language} value={language} lang={language}>
            {LANGUAGE_NAMES[language]}
          </option>
        ))}
      </select>
    </label>
  </footer>
)

/**
 * All words are read when a page loads. The browser asks first where there is unsaved work. The address has a choice
 * that differs from the browser's language: the service sees it, so it sends the page in that language.
 */
function choose(language: Language): void {
  const address = new URL(location.href)
  storeChoice(site.root, language)
  if (language === browserLanguage(site.language)) address.searchParams.delete('lang')
  else address.searchParams.set('lang', language)
  if (address.href === location.href) location.reload()
  else location.assign(address)
}
