// Script of the API manual: search while typing, copy buttons, forms for public reads.
import { addCopyButtons } from './copy-buttons.ts'
import { addLiveSearch } from './live-search.ts'
import { addTryForms } from './try-forms.ts'

/** The manual was one page: links to its parts go on to the page where they are now. */
function followMovedLink(): void {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null
  const link = target?.querySelector<HTMLAnchorElement>(':scope > a.moved')
  if (link) location.replace(link.href)
}

followMovedLink()
addCopyButtons()
addLiveSearch()
addTryForms()
