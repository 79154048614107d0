// Forms of the API manual that send a public read to this server and show its response.
import { tryIt as words } from '../../src/words/manual.ts'
import { MAX_SHOWN_TEXT, type TriedResponse, tryRead } from './requests.ts'

export function addTryForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form.try')) {
    form.hidden = false
    let running: AbortController | undefined
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      running?.abort()
      running = new AbortController()
      void send(form, running.signal)
    })
  }
}

async function send(form: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const status = form.querySelector('[role=status]')
  const result = form.querySelector('.result')
  if (!status || !result) return
  const address = addressOf(form)
  status.textContent = words.sending
  try {
    const response = await tryRead(address, signal)
    status.textContent = words.summary(response.status, response.milliseconds)
    result.replaceChildren(...resultParts(address, response))
  } catch {
    // The next request of the same form shows its own result.
    if (signal.aborted) return
    status.textContent = words.failed
    result.replaceChildren()
  }
}

/** The path is that of this server; fields without a value are left out. */
function addressOf(form: HTMLFormElement): string {
  const query = new URLSearchParams()
  let path = form.dataset.address ?? ''
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-in]')) {
    const value = field.value.trim()
    if (field.dataset.in === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(value))
    else if (value) query.set(field.name, value)
  }
  return query.size > 0 ? `${path}?${query}` : path
}

function resultParts(address: string, { headers, text, isCut }: TriedResponse): HTMLElement[] {
  const list = document.createElement('dl')
  for (const [name, value] of headers) {
    const row = document.createElement('div')
    row.append(textOf('dt', name), textOf('dd', value))
    list.append(row)
  }
  const body = document.createElement('pre')
  body.tabIndex = 0
  body.setAttribute('role', 'region')
  body.setAttribute('aria-label', words.bodyOf(address))
  body.append(textOf('code', text))
  const note = isCut ? [textOf('p', words.shortened(MAX_SHOWN_TEXT.toLocaleString('en-GB')))] : []
  return [
    textOf('h4', words.response),
    textOf('p', `GET ${address}`),
    textOf('h4', words.headers),
    list,
    textOf('h4', words.body),
    ...note,
    text === '' ? textOf('p', words.noBody) : body,
  ]
}

function textOf(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag)
  element.textContent = text
  return element
}
