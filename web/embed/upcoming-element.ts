// `<daybook-upcoming>`: the next few events as a list, for a sidebar or a front page.
import type { SidebarEvent } from '../api/contract.ts'
import { categoriesOf } from '../calendar/categories/category-list.ts'
import { followChanges } from '../calendar/live-changes.ts'
import { embedded } from '../strings.ts'
import { EmbeddedElement, make } from './element.ts'
import { eventAddress, home, streamAddress } from './home.ts'
import sheet from './upcoming.css?inline'
import { formatDays, timesOf } from './when.ts'
import { hasEmbedWords, loadEmbedWords } from './words.ts'

const DEFAULT_LIMIT = 5
const MAX_LIMIT = 20

/** A page that becomes visible again after this long reloads its list. */
const STALE_MS = 5 * 60_000

export class UpcomingElement extends EmbeddedElement {
  static readonly observedAttributes = ['limit', 'category', 'categories', 'timezone']

  protected readonly sheet = sheet
  #loading: AbortController | undefined
  #loadedAt = 0
  #unfollow: (() => void) | undefined
  readonly #onVisible = () => {
    if (document.visibilityState === 'visible' && Date.now() - this.#loadedAt > STALE_MS) void this.#load()
  }

  protected start(): void {
    document.addEventListener('visibilitychange', this.#onVisible)
    this.#unfollow = followChanges({
      address: streamAddress(),
      knownToken: () => undefined,
      onChange: () => void this.#load(true),
    })
    if (hasEmbedWords()) this.#show(make('p', { class: 'quiet', role: 'status' }, embedded.loading))
    void this.#load()
  }

  protected stop(): void {
    document.removeEventListener('visibilitychange', this.#onVisible)
    this.#unfollow?.()
    this.#loading?.abort()
  }

  /** `isQuiet`: what is shown stays where loading fails, or finds the same. */
  async #load(isQuiet = false): Promise<void> {
    this.#loading?.abort()
    const loading = new AbortController()
    this.#loading = loading
    try {
      const [{ events, timezone }] = await Promise.all([this.#ask(loading.signal), loadEmbedWords(this)])
      if (loading.signal.aborted) return
      this.#loadedAt = Date.now()
      const content = events.length > 0 ? listOf(events, timezone) : make('p', { class: 'quiet' }, embedded.nothing)
      if (isQuiet) this.#replace(content)
      else this.#show(content)
    } catch {
      await loadEmbedWords(this).catch(() => {})
      if (!loading.signal.aborted && !isQuiet && hasEmbedWords()) this.#show(this.#failure())
    }
  }

  /** The sidebar endpoint cannot filter by category; the first events of the list view are the same. */
  async #ask(signal: AbortSignal): Promise<{ events: readonly SidebarEvent[]; timezone: string }> {
    const limit = Math.min(
      Math.max(Number.parseInt(this.getAttribute('limit') ?? '', 10) || DEFAULT_LIMIT, 1),
      MAX_LIMIT,
    )
    const timezone = this.getAttribute('timezone') || undefined
    const zone = timezone === undefined ? {} : { timezone }
    const category = categoriesOf((name) => this.getAttribute(name))
    if (category.length === 0) {
      const { data, meta } = await home().call('listSidebarEvents', { query: { limit, ...zone }, signal })
      return { events: data, timezone: meta!.timezone! }
    }
    const query = { view: 'list', from: new Date().toISOString(), category, per_page: limit, ...zone } as const
    const { data, meta } = await home().call('listPublicEvents', { query, signal })
    return { events: data as SidebarEvent[], timezone: meta!.timezone! }
  }

  #failure(): HTMLElement {
    const again = make('button', { type: 'button' }, embedded.tryAgain)
    again.addEventListener('click', () => this.#load())
    return make('p', { role: 'alert' }, `${embedded.unreachable} `, again)
  }

  /** A link keeps the focus. */
  #replace(content: HTMLElement): void {
    if (this.inside.firstElementChild?.isEqualNode(content)) return
    const href = this.inside.activeElement?.getAttribute('href')
    this.#show(content)
    const link = [...content.querySelectorAll('a')].find((one) => one.getAttribute('href') === href)
    link?.focus({ preventScroll: true })
  }

  #show(content: HTMLElement): void {
    this.inside.replaceChildren(content)
  }
}

function listOf(events: readonly SidebarEvent[], timezone: string): HTMLElement {
  return make('ul', { 'aria-label': embedded.upcoming }, ...events.map((event) => entryOf(event, timezone)))
}

function entryOf(event: SidebarEvent, timezone: string): HTMLElement {
  const isPrivate = event.visibility === 'private'
  const title = isPrivate
    ? make('span', { class: 'title private' }, embedded.privateEvent)
    : make('a', { class: 'title', href: eventAddress(event.id, event.occurrence_key), target: '_top' }, event.title)
  const when = make(
    'span',
    { class: 'when' },
    make('time', { datetime: event.start_date ?? event.start }, formatDays(event, timezone)),
  )
  const times = timesOf(event, timezone)
  if (times) when.append(`, ${times}`)
  return make('li', {}, when, title, event.location ? make('span', { class: 'quiet' }, event.location) : undefined)
}
