// From address to page: links are followed without loading anew, the back button works, and unsaved work is asked about.
import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { site, under } from '../site.ts'
import { createStore, useStore } from '../ui/store.ts'

export interface Route {
  /** Under the root, such as `/account`. */
  path: string
  query: URLSearchParams
}

/** Answers whether the page may be left. */
type Guard = () => boolean | Promise<boolean>

const place = createStore<Route>(readPlace())
let guard: Guard | undefined
/** Whose address stands in the address bar, should somebody go back and then decide to stay. */
let shown = location.href

export const usePlace = (): Route => useStore(place)

/** `to` is under the root. Answers whether somebody went there, rather than staying with unsaved work. */
export async function navigate(
  to: string,
  options: { isReplacing?: boolean; isSure?: boolean } = {},
): Promise<boolean> {
  const { leaves, differs } = compare(location.href, new URL(under(to), location.href).href)
  if (differs && !options.isSure && guard && !(await guard())) return false
  if (differs) guard = undefined
  if (options.isReplacing) history.replaceState(history.state, '', under(to))
  else history.pushState({ from: ownPath(location.href) }, '', under(to))
  show(leaves)
  return true
}

/** Where that is where somebody came from, it is a step back; what is closed is not left for the back button to open. */
export function goBack(to: string): void {
  if (isGoingBack) return
  isGoingBack = history.state?.from === to
  if (isGoingBack) history.back()
  else void navigate(to, { isReplacing: true })
}

/** The browser takes a moment for it, in which somebody may press again. */
let isGoingBack = false

/** Whether something on the page would be asked about before it is left. */
export const hasUnsaved = (): boolean => guard !== undefined

/** Asks before the page is left, for as long as the asking part is on it. */
export function useGuard(isNeeded: boolean, ask: Guard): void {
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
  /** What it stands on, such as a dialog, is not come back to. */
  isReplacing?: boolean
}

export function Link({ to, isReplacing, ...rest }: LinkProps): JSX.Element {
  return <a href={under(to)} data-replacing={isReplacing} {...rest} />
}

export interface PageModule {
  default: ComponentType
}

interface RouterProps {
  /** Answers how to load the page of an address. */
  find(path: string): (() => Promise<PageModule>) | undefined
  loading: JSX.Element
  missing: JSX.Element
  broken: JSX.Element
}

export function Router({ find, loading, missing, broken }: RouterProps): JSX.Element {
  const { path } = usePlace()
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

/** Not those to a place within the page, to another window or to a file: they are the browser’s own business. */
const FOLLOWED = 'a[href]:not([href^="#"], [target], [download])'

/** Once, when the page starts. */
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

/** Another page is begun at its top; unsaved work is asked about on the way to another query as well. */
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

/** Undefined for addresses that are not pages of ours. */
function ownPath(href: string): string | undefined {
  const url = new URL(href)
  const isOurs = url.origin === location.origin && `${url.pathname}/`.startsWith(`${site.root}/`)
  if (!isOurs || url.pathname.startsWith(site.api)) return undefined
  return `${url.pathname.slice(site.root.length) || '/'}${url.search}`
}
