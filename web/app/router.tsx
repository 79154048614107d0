// Client-side router: links, back button, and a guard that asks before unsaved work is left.
import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { pathUnder, site, withLanguage } from '../site.ts'
import { createStore, useStore } from '../ui/store.ts'

export interface Route {
  /** Under the root, such as `/account`. */
  path: string
  query: URLSearchParams
}

/** Resolves to whether the page may be left. */
type Guard = () => boolean | Promise<boolean>

const place = createStore<Route>(readPlace())
let guard: Guard | undefined
/** The URL of the page on screen, to restore if the user presses Back and then decides to stay. */
let shown = location.href

export const useRoute = (): Route => useStore(place)

/** `to` is under the root. Resolves to false if the user stayed because of unsaved work. */
export async function navigate(
  to: string,
  options: { isReplacing?: boolean; isSure?: boolean } = {},
): Promise<boolean> {
  const target = pathUnder(withLanguage(to))
  const { leaves, differs } = compare(location.href, new URL(target, location.href).href)
  if (differs && !options.isSure && guard && !(await guard())) return false
  if (differs) guard = undefined
  if (options.isReplacing) history.replaceState(history.state, '', target)
  else history.pushState({ from: ownPath(location.href) }, '', target)
  show(leaves)
  return true
}

/** A history step back if `to` is the previous page; otherwise replaces this entry, so that Back does not reopen it. */
export function goBack(to: string): void {
  if (isGoingBack) return
  isGoingBack = history.state?.from === withLanguage(to)
  if (isGoingBack) history.back()
  else void navigate(to, { isReplacing: true })
}

/** `history.back()` is asynchronous, and the user may press the button again before it completes. */
let isGoingBack = false

/** Whether leaving the page would ask first. */
export const hasUnsaved = (): boolean => guard !== undefined

/** Asks before the page is left, while the calling component is mounted. */
export function useLeaveGuard(isNeeded: boolean, ask: Guard): void {
  useEffect(() => {
    if (!isNeeded) return
    const mine: Guard = ask
    guard = mine
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', onUnload)
    return () => {
      if (guard === mine) guard = undefined
      removeEventListener('beforeunload', onUnload)
    }
  }, [isNeeded, ask])
}

interface LinkProps extends JSX.AnchorHTMLAttributes {
  to: string
  /** Replaces the history entry, so that Back does not return to, for example, a dialog. */
  isReplacing?: boolean
}

export function Link({ to, isReplacing, ...rest }: LinkProps): JSX.Element {
  return <a href={pathUnder(withLanguage(to))} data-replacing={isReplacing} {...rest} />
}

export interface PageModule {
  default: ComponentType
}

interface RouterProps {
  /** Returns a function that loads the page of a path. */
  find(path: string): (() => Promise<PageModule>) | undefined
  loading: JSX.Element
  missing: JSX.Element
  broken: JSX.Element
}

export function Router({ find, loading, missing, broken }: RouterProps): JSX.Element {
  const { path } = useRoute()
  const [page, setPage] = useState<{ path: string; content: JSX.Element }>()
  useEffect(() => {
    let isWanted = true
    const load = find(path)
    if (!load) return setPage({ path, content: missing })
    load().then(
      ({ default: Page }) => isWanted && setPage({ path, content: <Page key={path} /> }),
      () => isWanted && setPage({ path, content: broken }),
    )
    return () => {
      isWanted = false
    }
  }, [path])
  return page?.path === path ? page.content : loading
}

/** Links to an anchor, another window or a download are left to the browser, and those of the page it replaces. */
const FOLLOWED = 'a[href]:not([href^="#"], [target], [download], #served a)'

/** Call once, at start. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const link = (event.target as Element).closest?.<HTMLAnchorElement>(FOLLOWED)
    const to = link ? ownPath(link.href) : undefined
    if (to === undefined) return
    event.preventDefault()
    void navigate(to, { isReplacing: link!.dataset.replacing !== undefined })
  })
  const arrive = () => {
    isGoingBack = false
  }
  addEventListener('pageshow', arrive)
  addEventListener('popstate', arrive)
  addEventListener('popstate', async () => {
    const target = location.href
    const { leaves, differs } = compare(shown, target)
    if (differs && guard) {
      history.pushState(null, '', shown)
      if (!(await guard())) return
      guard = undefined
      history.replaceState(null, '', target)
    }
    show(leaves)
  })
}

/** `leaves`: another path, so scroll to the top. `differs`: another path or query, so ask about unsaved work. */
function compare(from: string, to: string): { leaves: boolean; differs: boolean } {
  const [one, other] = [new URL(from), new URL(to)]
  const leaves = one.pathname !== other.pathname
  return { leaves, differs: leaves || one.search !== other.search }
}

function show(leaves: boolean): void {
  shown = location.href
  place.set(readPlace())
  if (leaves) scrollTo(0, 0)
}

function readPlace(): Route {
  const path = location.pathname.slice(site.root.length).replace(/(.)\/$/, '$1')
  return { path: path || '/', query: new URLSearchParams(location.search) }
}

/** Undefined for URLs outside this site, and for the API. */
function ownPath(href: string): string | undefined {
  const url = new URL(href)
  const isOurs = url.origin === location.origin && `${url.pathname}/`.startsWith(`${site.root}/`)
  if (!isOurs || url.pathname.startsWith(site.api)) return undefined
  return `${url.pathname.slice(site.root.length) || '/'}${url.search}`
}
