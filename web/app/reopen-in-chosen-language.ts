// Classic script inside pages, before the style sheets: opens the page again in the language chosen in this browser.
import { findForeignChoice } from '../words/language.ts'

const { root = '' } = (document.currentScript as HTMLScriptElement).dataset
const address = new URL(location.href)
const chosen = findForeignChoice(root, address.searchParams)
if (chosen) {
  address.searchParams.set('lang', chosen)
  // What has arrived meanwhile is in the other language.
  document.documentElement.hidden = true
  location.replace(address)
}
