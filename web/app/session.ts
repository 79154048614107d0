// Who is signed in here, as far as this page knows. Nobody is asked about until somebody has signed in on this browser.
import { makeClient } from '../api/client.ts'
import type { Operations } from '../api/contract.ts'
import { site } from './site.ts'
import { makeStore } from './store.ts'

export type Person = Operations['getSession']['answer']['data']['user']

export type Session =
  | { state: 'unknown' }
  | { state: 'nobody' }
  | { state: 'signed_in'; user: Person }
  /** It ended while the page was open: what is typed stays, and signing in again carries on. */
  | { state: 'over'; user: Person }

/** Not a secret: only tells that it is worth asking. */
const HINT = `daybook${site.root}:signed-in`

export const session = makeStore<Session>({ state: hasHint() ? 'unknown' : 'nobody' })

export const call = makeClient({
  base: site.api,
  isSigned: true,
  onSessionOver() {
    const known = session.get()
    if (known.state === 'signed_in') session.set({ state: 'over', user: known.user })
    else forget()
  },
})

export async function refreshSession(): Promise<void> {
  try {
    const { data } = await call('getSession')
    remember(data.user)
  } catch (error) {
    // Not being able to ask is not an answer.
    if ((error as { status?: number }).status === 401 && session.get().state !== 'over') forget()
  }
}

export async function signIn(email: string, password: string, isRemembered: boolean): Promise<Person> {
  const { data } = await call('logIn', { body: { email, password, remember: isRemembered } })
  remember(data.user)
  return data.user
}

export async function signOut(): Promise<void> {
  await call('logOut')
  forget()
}

export function forget(): void {
  keepHint(false)
  session.set({ state: 'nobody' })
}

export const canWrite = (known: Session): boolean =>
  'user' in known && known.user.approval_state === 'approved' && known.user.role !== 'reader'

export const isAdmin = (known: Session): boolean =>
  'user' in known && known.user.approval_state === 'approved' && known.user.role === 'admin'

function remember(user: Person): void {
  keepHint(true)
  session.set({ state: 'signed_in', user })
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
