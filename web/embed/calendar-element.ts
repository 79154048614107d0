// `<daybook-calendar>`: the whole calendar as a custom element; loads its large grid on demand.
import { embedded } from '../strings.ts'
import sheet from './calendar.css?inline'
import { EmbeddedElement, make } from './element.ts'
import { hasEmbedWords, loadEmbedWords, loadGridWords } from './words.ts'

export class CalendarElement extends EmbeddedElement {
  static readonly observedAttributes = ['view', 'date', 'category', 'categories', 'timezone']

  protected readonly sheet = sheet
  #end: (() => void) | undefined
  #turn = 0

  protected start(): void {
    this.#turn += 1
    const turn = this.#turn
    const place = make('div', { class: 'grid' })
    const showText = (role: string, text: string): void => {
      if (turn === this.#turn) place.replaceChildren(make('p', { role }, text))
    }
    this.inside.replaceChildren(place)
    loadEmbedWords(this)
      .then(() => showText('status', embedded.loading))
      // The grid uses its words when it is evaluated.
      .then(() => loadGridWords(this))
      .then(() => import('./calendar-grid.tsx'))
      .then(({ showCalendar }) => showCalendar(this.inside, place, (name) => this.getAttribute(name) ?? undefined))
      .then(
        (end) => {
          if (turn === this.#turn) this.#end = end
          else end()
        },
        () => {
          if (hasEmbedWords()) showText('alert', embedded.unreachable)
        },
      )
  }

  protected stop(): void {
    this.#turn += 1
    this.#end?.()
    this.#end = undefined
  }
}
