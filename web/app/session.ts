// Who is signed in here, as far as this page knows. Nobody is asked about until somebody has signed in on this browser.
import { createClient } from '../api/client.ts'
import type { Operations } from '../api/contract.ts'
import { site } from '../site.ts'
import { createStore } from '../ui/store.ts'
import { dropDrafts } from './drafts.ts'

export type SessionUser = Operations['getSession']['answer']['data']['user']

export type SessionState =
  /** `error` where asking failed. */
  | { state: 'unknown'; error?: unknown }
  | { state: 'nobody' }
  | { state: 'signed_in'; user: SessionUser }
  /**
   * It ended while the page was open, or somebody else signed in meanwhile: what is typed stays, and signing in again
   * carries on. `isAsked` while the window for that is shown.
   */
  | { state: 'over'; user: SessionUser; other: SessionUser | undefined; isAsked: boolean }

/** Not a secret: only tells that it is worth asking. */
const HINT = `daybook${site.root}:signed-in`

export const session = createStore<SessionState>({ state: hasHint() ? 'unknown' : 'nobody' })

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
      forget()
      return false
    }
    session.set({ state: 'over', user: known.user, other: undefined, isAsked: true })
    return new Promise((resolve) => waiting.push(resolve))
  },
})

/** Calls that go on when somebody has signed in again, or fail when nobody does. */
let waiting: ((isBack: boolean) => void)[] = []

function answerWaiting(isBack: boolean): void {
  const told = waiting
  waiting = []
  for (const tell of told) tell(isBack)
}

/** Not now: the page stays as it is, and the next call asks again. */
export function putOff(): void {
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
    // Not being able to ask is not an answer; one that there is nobody has been heard by the client.
    if (session.get().state === 'unknown') session.set({ state: 'unknown', error })
  }
}

export async function signIn(email: string, password: string, isRemembered: boolean): Promise<SessionUser> {
  const { data } = await call('logIn', { body: { email, password, remember: isRemembered } })
  remember(data.user)
  return data.user
}

/** Another tab has signed somebody in or out, or the browser shows the page again as it once was. */
function lookAgain(): void {
  const known = session.get()
  if (hasHint()) {
    if (known.state !== 'unknown') void refreshSession()
  } else if (known.state === 'signed_in')
    session.set({ state: 'over', user: known.user, other: undefined, isAsked: false })
}

/** For as long as the page is there. */
export function watchOtherTabs(): void {
  // No key: everything was cleared, as the service asks for when somebody signs out. What belongs to the tab alone is
  // cleared first, and then the hint may still be there.
  addEventListener('storage', ({ key, storageArea }) => {
    if (storageArea === localStorage && (key === HINT || key === null)) lookAgain()
  })
  addEventListener('pageshow', ({ persisted }) => persisted && lookAgain())
}

export async function signOut(): Promise<void> {
  await call('logOut')
  dropDrafts()
  forget()
}

export function forget(): void {
  keepHint(false)
  session.set({ state: 'nobody' })
  answerWaiting(false)
}

/** Everything, private events too. */
export const canRead = (known: SessionState): boolean =>
  known.state === 'signed_in' && known.user.approval_state === 'approved'

export const canWrite = (known: SessionState): boolean =>
  'user' in known && known.user.approval_state === 'approved' && known.user.role !== 'reader'

export const isAdmin = (known: SessionState): boolean =>
  'user' in known && known.user.approval_state === 'approved' && known.user.role === 'admin'

function remember(user: SessionUser): void {
  keepHint(true)
  const known = session.get()
  const isOther = 'user' in known && known.user.id !== user.id
  if (isOther) session.set({ state: 'over', user: known.user, other: user, isAsked: true })
  else session.set({ state: 'signed_in', user })
  answerWaiting(!isOther)
}

/** Where a browser keeps nothing, people are simply asked to sign in again. */
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
