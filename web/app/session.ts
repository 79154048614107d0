// Session state of this tab: asks the server only if this browser has signed in before.
import { hasRight } from '../../src/domain/privacy/rights.ts'
import { createClient } from '../api/client.ts'
import type { Operations } from '../api/contract.ts'
import { site } from '../site.ts'
import { createStore } from '../ui/store.ts'
import { forgetUndo } from '../ui/toasts.tsx'
import { readChoice, storeChoice } from '../words/language.ts'
import { dropDrafts } from './drafts.ts'

export type SessionUser = Operations['getSession']['answer']['data']['user']

export type SessionState =
  /** `error` is set if the request failed. */
  | { state: 'unknown'; error?: unknown }
  | { state: 'signed_out' }
  | { state: 'signed_in'; user: SessionUser }
  /**
   * The session ended while the page was open, or another user signed in meanwhile. What was typed stays, and signing
   * in again continues. `isAsked` while the sign-in dialog is shown.
   */
  | { state: 'over'; user: SessionUser; other: SessionUser | undefined; isAsked: boolean }

/** Not a secret: it only says that a session may exist. */
const HINT = `daybook${site.root}:signed-in`

export const session = createStore<SessionState>({ state: hasHint() ? 'unknown' : 'signed_out' })

export const call = createClient({
  base: site.api,
  isSigned: true,
  isOwnSession({ user }) {
    const known = session.get()
    if (!('user' in known)) return true
    if (known.user.id === user.id) {
      if (known.state === 'over') remember(user)
      return true
    }
    session.set({ state: 'over', user: known.user, other: user, isAsked: true })
    return false
  },
  async onSessionOver() {
    const known = session.get()
    if (!('user' in known)) {
      clearSession()
      return false
    }
    session.set({ state: 'over', user: known.user, other: undefined, isAsked: true })
    return new Promise((resolve) => waiting.push(resolve))
  },
})

/** Resolvers of calls that wait for the user to sign in again: true repeats the call, false fails it. */
let waiting: ((isBack: boolean) => void)[] = []

function answerWaiting(isBack: boolean): void {
  const resolvers = waiting
  waiting = []
  for (const resolve of resolvers) resolve(isBack)
}

/** The user dismissed the dialog: the page stays as it is, and the next call asks again. */
export function dismissSignIn(): void {
  const known = session.get()
  if (known.state === 'over') session.set({ ...known, isAsked: false })
  answerWaiting(false)
}

export async function refreshSession(): Promise<void> {
  if (session.get().state === 'unknown') session.set({ state: 'unknown' })
  try {
    const { data } = await call('getSession')
    remember(data.user)
  } catch (error) {
    // A failed request leaves the state unknown; "no session" was already handled by onSessionOver.
    if (session.get().state === 'unknown') session.set({ state: 'unknown', error })
  }
}

export async function signIn(email: string, password: string, isRemembered: boolean): Promise<SessionUser> {
  const { data } = await call('logIn', { body: { email, password, remember: isRemembered } })
  remember(data.user)
  return data.user
}

/** Another tab signed in or out, or the browser restored this page from its back/forward cache. */
function lookAgain(): void {
  const known = session.get()
  if (hasHint()) {
    if (known.state !== 'unknown') void refreshSession()
  } else if (known.state === 'signed_in')
    session.set({ state: 'over', user: known.user, other: undefined, isAsked: false })
}

/** Call once, at start; the listeners are never removed. */
export function watchOtherTabs(): void {
  // A null key means that all storage was cleared, which the server requests on sign-out (Clear-Site-Data). That clears
  // sessionStorage first; the hint in localStorage may still exist then, so other areas are ignored.
  addEventListener('storage', ({ key, storageArea }) => {
    if (storageArea === localStorage && (key === HINT || key === null)) lookAgain()
  })
  addEventListener('pageshow', ({ persisted }) => persisted && lookAgain())
}

export async function signOut(): Promise<void> {
  const language = readChoice(site.root)
  await call('logOut')
  // The answer clears the storage of this site; the language is no personal data.
  if (language) storeChoice(site.root, language)
  dropDrafts()
  clearSession()
}

export function clearSession(): void {
  keepHint(false)
  forgetUndo()
  session.set({ state: 'signed_out' })
  answerWaiting(false)
}

/** May read everything, including private events. */
export const canRead = (known: SessionState): boolean =>
  known.state === 'signed_in' && known.user.approval_state === 'approved'

export const canWrite = (known: SessionState): boolean =>
  'user' in known && known.user.approval_state === 'approved' && hasRight(known.user.role, 'write')

export const isAdmin = (known: SessionState): boolean =>
  'user' in known && known.user.approval_state === 'approved' && hasRight(known.user.role, 'administer')

function remember(user: SessionUser): void {
  keepHint(true)
  const known = session.get()
  const isOther = 'user' in known && known.user.id !== user.id
  if (isOther) session.set({ state: 'over', user: known.user, other: user, isAsked: true })
  else session.set({ state: 'signed_in', user })
  answerWaiting(!isOther)
}

/** If the browser blocks storage there is no hint, and the user has to sign in again. */
function hasHint(): boolean {
  try {
    return localStorage.getItem(HINT) !== null
  } catch {
    return false
  }
}

function keepHint(isKept: boolean): void {
  try {
    if (isKept) localStorage.setItem(HINT, '1')
    else localStorage.removeItem(HINT)
  } catch {}
}
