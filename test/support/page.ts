// A page behind a mail link, opened without a browser: its own script runs against the few elements it has.
import { setTimeout as delay } from 'node:timers/promises'
import { createContext, runInContext } from 'node:vm'
import type { World } from './world.ts'

export interface OpenPage {
  /** What the live region says now. */
  said(): string
  isFormShown(): boolean
  /** Whether there is a way to ask for another link. */
  isLinkOffered(): boolean
  address(): string
  /** What the script sent, one line each. */
  sent: string[]
  press(value?: string): Promise<void>
  pressShow(): Promise<void>
  /** Another link to the same page, pasted into the same tab. */
  follow(fragment: string): Promise<void>
  field: FakeElement | undefined
  html: string
  script: string
}

export class FakeElement {
  dataset: Record<string, string> = {}
  textContent = ''
  className = ''
  value = ''
  type = 'password'
  name = ''
  hidden = false
  attributes = new Map<string, string>()
  hasFocus = false
  handler: ((event: { preventDefault(): void }) => unknown) | undefined

  addEventListener(_: string, handler: FakeElement['handler']): void {
    this.handler = handler
  }
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value)
  }
  removeAttribute(name: string): void {
    this.attributes.delete(name)
  }
  focus(): void {
    this.hasFocus = true
  }
}

interface Sent {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}

export async function openPage(world: World, path: string, fragment = ''): Promise<OpenPage> {
  const { app, anonymous } = world
  const { text: html } = await anonymous.send({ method: 'GET', url: app.site.root + path })
  const script = /<script>([\s\S]*)<\/script>/.exec(html)![1]!
  const form = Object.assign(new FakeElement(), { dataset: datasetOf(html) })
  const outcome = new FakeElement()
  const after = html.includes('id="after"') ? new FakeElement() : null
  const elements: Record<string, FakeElement | null> = { form, '#outcome': outcome, '#after': after }
  const onHashChange: (() => void)[] = []
  const name = /<input [^>]*name="(\w+)"/.exec(html)?.[1]
  const field = name ? Object.assign(new FakeElement(), { name }) : undefined
  const show = html.includes('id="show"') ? new FakeElement() : undefined
  const location = { hash: fragment, pathname: app.site.root + path }
  const sent: string[] = []
  const window = {
    document: { querySelector: (query: string) => elements[query] },
    addEventListener: (_: 'hashchange', handler: () => void) => void onHashChange.push(handler),
    location,
    history: {
      replaceState(_: null, __: string, address: string) {
        location.pathname = address
        location.hash = ''
      },
    },
    async fetch(url: string, { method = 'GET', headers, body }: Sent = {}) {
      sent.push(`${method} ${url}`)
      const own = { ...headers, origin: app.site.origin, 'sec-fetch-site': 'same-origin' }
      const answer = await anonymous.send({ method, url, headers: own, ...(body ? { payload: body } : {}) })
      return { ok: answer.status < 300, json: async () => answer.body }
    },
    URLSearchParams,
    crypto,
    btoa,
  }
  Object.assign(form, { querySelector: (query: string) => (query === 'input' ? field : show) })
  runInContext(script, createContext(window))
  const event = { preventDefault: () => {} }
  return {
    html,
    script,
    sent,
    field,
    said: () => outcome.textContent,
    isFormShown: () => !form.hidden,
    isLinkOffered: () => after !== null && !after.hidden,
    address: () => location.pathname + location.hash,
    async press(value = '') {
      if (field) field.value = value
      await form.handler!(event)
      await delay(0)
    },
    async pressShow() {
      await show!.handler!(event)
    },
    async follow(fragment) {
      location.hash = fragment
      for (const handler of onHashChange) handler()
    },
  }
}

const datasetOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    [.../<form [^>]*>/.exec(html)![0].matchAll(/ data-([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [
      name!.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value!,
    ]),
  )
