// Replaces the calendar page that the service sent by that of the app, once the app shows the same.

/** Rendering of events begins when they are there, and ends some frames later. */
const STILL_FRAMES = 2
const MOST_FRAMES = 60

/** In a tab in the background no frames come, and nothing is seen to move. */
const LATE_FRAME_MS = 250

/** Content of the calendar page. */
const CONTENT = '.cal-frame.ready, .found'
/** The reason why there is none. */
const PROBLEM = '.cal-frame.failed, .notice.bad'

const usable = Promise.withResolvers<void>()

/** Resolves when the page can be used: what it does not need for that is loaded afterwards. */
export const pageUsable: Promise<void> = usable.promise

/**
 * Until then both are laid out, that of the app invisibly: nothing moves when they are exchanged. If the app cannot be
 * loaded, or cannot load the events, the page of the service stays: it has them, and robots may read no API. Only those
 * who may be signed in, who would not see all of theirs, are told.
 */
export function takeOverServedPage(isPerhapsSignedIn: boolean): void {
  const served = document.getElementById('served')
  if (!served) {
    usable.resolve()
    return
  }
  if (isPerhapsSignedIn) served.querySelector<HTMLElement>('.site-head nav a')!.style.visibility = 'hidden'
  const own = document.getElementById('app')!
  const { pathname } = location
  /** It is loaded apart from the events. */
  const lacksLegend = (): boolean => served.querySelector('.cal-legend') !== null && !own.querySelector('.cal-legend')
  let changes = 0
  let isWaiting = false
  const awaited = isPerhapsSignedIn ? `${CONTENT}, ${PROBLEM}` : CONTENT
  const isReady = (): boolean => location.pathname !== pathname || isCalendar(own, awaited)
  const observer = new MutationObserver(() => {
    changes += 1
    if (isWaiting || !isReady()) return
    isWaiting = true
    wait(0, MOST_FRAMES)
  })
  const wait = (still: number, left: number): void =>
    onNextFrame(() => {
      const now = changes === 0 ? still + 1 : 0
      changes = 0
      if ((now < STILL_FRAMES || lacksLegend()) && left > 0) return wait(now, left - 1)
      observer.disconnect()
      exchange(served, own)
      usable.resolve()
    })
  observer.observe(own, { childList: true, subtree: true, attributes: true })
}

function onNextFrame(act: () => void): void {
  const frame = requestAnimationFrame(() => go())
  const timer = setTimeout(() => go(), LATE_FRAME_MS)
  const go = (): void => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    act()
  }
}

const isCalendar = (own: HTMLElement, awaited: string): boolean =>
  own.querySelector('.cal-bar') !== null && own.querySelector(awaited) !== null

function exchange(served: HTMLElement, own: HTMLElement): void {
  const focused = served.contains(document.activeElement) ? document.activeElement : undefined
  const typed = served.querySelector<HTMLInputElement>('[type="search"]')!
  const chosen = served.querySelector('select')!
  const isFiltering = served.querySelector('.cal-filter-box:target') !== null
  served.remove()
  own.classList.remove('waiting')
  const select = own.querySelector<HTMLSelectElement>('.cal-filters select')
  if (select && !chosen.selectedOptions[0]?.defaultSelected && chosen.selectedIndex > 0) {
    select.value = chosen.value
    select.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const search = own.querySelector<HTMLInputElement>('[type="search"]')
  if (search && typed.value !== typed.defaultValue) {
    search.value = typed.value
    search.dispatchEvent(new Event('input', { bubbles: true }))
  }
  if (focused === typed) search?.focus({ preventScroll: true })
  else if (focused) own.querySelector('h1')?.focus({ preventScroll: true })
  if (!isFiltering) return
  own.querySelector<HTMLElement>('.cal-find[aria-expanded="false"]')?.click()
  // It is visible once the app has rendered.
  if (focused === typed) requestAnimationFrame(() => search?.focus({ preventScroll: true }))
}
