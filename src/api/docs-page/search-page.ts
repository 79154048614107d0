// The page with the results of a search in the API manual, for browsers without JavaScript too.

import { searching as words } from '../../words/manual.ts'
import type { ManualEntry, ManualFindings } from '../../words/manual-search.ts'
import { type Html, html, prose } from './html.ts'
import type { Manual } from './manual.ts'
import { type ManualPage, SEARCH } from './page.ts'

export function searchPage(manual: Manual, sought: string, { count, entries }: ManualFindings): ManualPage {
  const title = sought ? `${words.title}: ${sought}` : words.title
  const none = sought ? html`<p>${words.nothing}</p>` : undefined
  const body =
    count === 0
      ? none
      : html`<p>${words.found(count, entries.length)}</p>
<ol class="results">${entries.map((entry) => result(manual, entry))}</ol>`
  return { slug: SEARCH, title, lead: words.hint, body: html`${body}` }
}

const result = ({ root }: Manual, { kind, name, detail, where, href }: ManualEntry): Html => html`<li>
<p><span class="kind">${words.kinds[kind]}</span> <a href="${root}${href}">${kind === 'operation' ? name : html`<code>${name}</code>`}</a> <span class="where">${where}</span></p>
<p>${kind === 'operation' ? html`<code>${detail}</code>` : prose(detail)}</p>
</li>`
