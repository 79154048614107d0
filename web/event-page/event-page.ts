// Script of an event's page: sharing, the reader's own zone, for writers edit link and last change.
import { hasRight } from '../../src/domain/privacy/rights.ts'
import { dateFormat, formatTimes } from '../../src/words/format-times.ts'
import { createClient } from '../api/client.ts'
import { pageTimes } from './times.ts'

const find = <T extends HTMLElement>(id: string): T | null => document.getElementById(id) as T | null

/** Replaces `{name}` in words that the page brings. */
const fill = (words: string, values: Record<string, string>): string =>
  words.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

function showOwnZone(): void {
  const line = find('own-zone')
  if (!line) return
  const { start = '', end = '', zone: shown = '', words = '' } = line.dataset
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions()
  const times = formatTimes({ start, end, all_day: false }, zone, pageTimes)
  // Another name of the same clock says nothing new.
  if (times === formatTimes({ start, end, all_day: false }, shown, pageTimes)) return
  line.textContent = fill(words, { times, zone })
  line.hidden = false
}

function offerSharing(): void {
  const template = find<HTMLTemplateElement>('sharing')
  if (!template) return
  const content = template.content.cloneNode(true) as DocumentFragment
  const [share, copy] = content.querySelectorAll('button')
  const status = content.querySelector<HTMLElement>('[role=status]')!
  const url = location.origin + location.pathname
  // Browsers offer these over https and on this machine alone.
  if ('share' in navigator)
    // The reader may have closed the dialog, which is an error too.
    share!.addEventListener('click', () => void navigator.share({ title: document.title, url }).catch(() => {}))
  else share!.remove()
  if (navigator.clipboard)
    copy!.addEventListener('click', async () => {
      status.textContent = ''
      await navigator.clipboard.writeText(url)
      status.textContent = status.dataset.done!
    })
  else copy!.remove()
  if (content.querySelector('button')) template.replaceWith(content)
}

/** Not a secret: the web app keeps it while there may be a session. */
function mayBeSignedIn(root: string): boolean {
  try {
    return localStorage.getItem(`daybook${root}:signed-in`) !== null
  } catch {
    return false
  }
}

async function offerWriting(): Promise<void> {
  const template = find<HTMLTemplateElement>('writing')
  const { root = '', api = '', event = '' } = template?.dataset ?? {}
  if (!template || !mayBeSignedIn(root)) return
  const call = createClient({ base: api, isSigned: true })
  const { user } = (await call('getSession')).data
  if (user.approval_state !== 'approved' || !hasRight(user.role, 'write')) return
  template.replaceWith(template.content.cloneNode(true))
  const [last] = (await call('listEventHistory', { path: { event_id: event }, query: { per_page: 1 } })).data
  const line = find('changed')
  if (!last || !line) return
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const date = dateFormat(pageTimes, timeZone, { day: 'numeric', month: 'long', year: 'numeric' }).format(
    new Date(last.at),
  )
  const { words = '', wordsBy = '' } = line.dataset
  line.textContent = last.by_name === null ? fill(words, { date }) : fill(wordsBy, { name: last.by_name, date })
  line.hidden = false
}

showOwnZone()
offerSharing()
// Without an answer the page is what everyone sees.
offerWriting().catch(() => {})
