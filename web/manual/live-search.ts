// Shows results of the API manual's search while its reader types; the form works without it.

import { searching as words } from '../../src/words/manual.ts'
import { type ManualEntry, searchManual } from '../../src/words/manual-search.ts'
import { readIndex } from './requests.ts'

export function addLiveSearch(): void {
  const form = document.querySelector<HTMLFormElement>('form.search')
  const input = form?.querySelector('input')
  const panel = form?.querySelector<HTMLElement>('.found')
  if (!form || !input || !panel) return
  const root = document.body.dataset.manual ?? ''
  const status = document.createElement('p')
  status.setAttribute('role', 'status')
  const list = document.createElement('ol')
  list.className = 'results'
  list.setAttribute('aria-label', words.results)
  panel.append(status, list)
  let index: Promise<ManualEntry[]> | undefined
  const close = (): void => {
    panel.hidden = true
  }
  const update = async (): Promise<void> => {
    index ??= readIndex(`${root}/search.json`)
    // Without the index the form still sends the search to the server.
    const entries = await index.catch(() => {
      index = undefined
      return []
    })
    const sought = input.value.trim()
    const { count, entries: found } = searchManual(entries, sought)
    panel.hidden = sought === '' || entries.length === 0
    status.textContent = count === 0 ? words.nothing : words.found(count, found.length)
    list.hidden = count === 0
    list.replaceChildren(...found.map((entry) => resultItem(root, entry)))
  }
  input.addEventListener('input', () => void update())
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !panel.hidden) {
      event.preventDefault()
      close()
      input.focus()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event, input, list)
  })
  // A link within this page leads away from the panel too.
  list.addEventListener('click', close)
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !form.contains(relatedTarget)) close()
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !form.contains(target)) close()
  })
}

/** Between the field and the links of the results. */
function moveFocus(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  const stops = [input, ...list.querySelectorAll('a')]
  const at = stops.findIndex((stop) => stop.matches(':focus'))
  const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)]
  if (at === -1 || list.closest('[hidden]') || !next) return
  event.preventDefault()
  next.focus()
}

function resultItem(root: string, { kind, name, detail, where, href }: ManualEntry): HTMLLIElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = `${root}${href}`
  link.append(kind === 'operation' ? name : codeOf(name))
  const title = document.createElement('p')
  title.append(spanOf('kind', words.kinds[kind]), ' ', link, ' ', spanOf('where', where))
  const text = document.createElement('p')
  text.append(...(kind === 'operation' ? [codeOf(detail)] : proseOf(detail)))
  item.append(title, text)
  return item
}

const codeOf = (text: string): HTMLElement => {
  const code = document.createElement('code')
  code.textContent = text
  return code
}

const proseOf = (text: string): (string | HTMLElement)[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? codeOf(part) : part))

function spanOf(name: string, text: string): HTMLSpanElement {
  const span = document.createElement('span')
  span.className = name
  span.textContent = text
  return span
}
