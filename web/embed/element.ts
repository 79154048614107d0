// Base class of both custom elements: shadow root, own style sheet, restart on attribute change.

type Child = Node | string | undefined

/** Constructed style sheets apply only inside the shadow root, and the page’s CSP does not restrict them. */
export abstract class EmbeddedElement extends HTMLElement {
  protected readonly inside = this.attachShadow({ mode: 'open' })
  #isConnected = false

  protected abstract readonly sheet: string
  protected abstract start(): void
  protected abstract stop(): void

  connectedCallback(): void {
    this.inside.adoptedStyleSheets = [createStyleSheet(this.sheet)]
    this.#isConnected = true
    this.start()
  }

  disconnectedCallback(): void {
    this.#isConnected = false
    this.stop()
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (!this.#isConnected || before === after) return
    this.stop()
    this.start()
  }
}

const sheets = new Map<string, CSSStyleSheet>()

export function createStyleSheet(text: string): CSSStyleSheet {
  const known = sheets.get(text)
  if (known) return known
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  sheets.set(text, sheet)
  return sheet
}

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children.filter((child) => child !== undefined))
  return element
}
