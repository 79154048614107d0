// Follows the change stream while the page is visible; reconnects with backoff and jitter.

export interface LiveOptions {
  /** Address of the stream. */
  address: string
  /** Sync token of what is shown, if known: a change after it is reported. */
  knownToken(): string | undefined
  /** Something has changed that is not shown yet. */
  onChange(): void
}

const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 5 * 60_000
/** While a dialog is open or the pointer is pressed, nothing on the page changes under it. */
const BUSY_MS = 300

/** Browsers open six connections to a server over HTTP/1.1: what a page loads must not wait for streams to end. */
const MOST_STREAMS = 4

/** Returns a function that stops following. Without streams, as with a proxy that blocks them, nothing happens. */
export function followChanges({ address, knownToken, onChange }: LiveOptions): () => void {
  if (typeof EventSource === 'undefined') return () => {}
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let busy: ReturnType<typeof setTimeout> | undefined
  let waitMs = FIRST_RETRY_MS
  let isPressed = false
  let wasOpen = false
  let leaveSlot = (): void => {}

  const report = (): void => {
    clearTimeout(busy)
    const isBusy = isPressed || document.querySelector('dialog[open]') !== null
    if (isBusy) busy = setTimeout(report, BUSY_MS)
    else onChange()
  }
  const close = (): void => {
    source?.close()
    source = undefined
    leaveSlot()
    clearTimeout(retry)
  }
  const open = (): void => {
    close()
    if (document.visibilityState !== 'hidden') leaveSlot = takeSlot(connect)
  }
  const connect = (): void => {
    const since = knownToken()
    if (since === undefined && wasOpen) report()
    wasOpen = true
    const opened = new EventSource(since === undefined ? address : `${address}?since=${encodeURIComponent(since)}`)
    source = opened
    opened.addEventListener('open', () => {
      waitMs = FIRST_RETRY_MS
    })
    opened.addEventListener('changed', ({ lastEventId }) => lastEventId === knownToken() || report())
    // The browser would try again at once for all pages, and not at all after a refusal.
    opened.addEventListener('error', () => {
      if (source !== opened) return
      close()
      retry = setTimeout(open, waitMs * (0.5 + Math.random()))
      waitMs = Math.min(2 * waitMs, LONGEST_RETRY_MS)
    })
  }
  const press = (): void => {
    isPressed = true
  }
  const lift = (): void => {
    isPressed = false
  }
  const watched = [
    ['visibilitychange', open],
    ['pointerdown', press],
    ['pointerup', lift],
    ['pointercancel', lift],
  ] as const
  for (const [name, listener] of watched) document.addEventListener(name, listener, true)
  open()
  return () => {
    for (const [name, listener] of watched) document.removeEventListener(name, listener, true)
    clearTimeout(busy)
    close()
  }
}

/**
 * Calls `start` when fewer than so many pages and elements of this browser follow changes, and returns a function that
 * lets the next one begin. Where the browser has no locks, without https, it is called at once.
 */
function takeSlot(start: () => void): () => void {
  if (!('locks' in navigator)) {
    start()
    return () => {}
  }
  let isOver = false
  let release = (): void => {}
  const asking = new AbortController()
  const hold = async (): Promise<void> => {
    if (isOver) return
    start()
    await new Promise<void>((done) => {
      release = done
    })
  }
  const ask = async (): Promise<void> => {
    const slots = Array.from({ length: MOST_STREAMS }, (_, n) => `daybook-stream-${n}`)
    for (const slot of slots) {
      const wasHeld = await navigator.locks.request(
        slot,
        { ifAvailable: true },
        (lock) => lock && hold().then(() => true),
      )
      if (wasHeld || isOver) return
    }
    const slot = slots[Math.floor(Math.random() * MOST_STREAMS)]!
    await navigator.locks.request(slot, { signal: asking.signal }, hold)
  }
  ask().catch(() => {})
  return () => {
    isOver = true
    release()
    asking.abort()
  }
}
