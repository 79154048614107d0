// Time zone of displayed times: the calendar’s or the visitor’s; remembered in localStorage.
import { site } from '../../site.ts'
import { createStore } from '../../ui/store.ts'

const KEY = `daybook${site.root}:own-zone`

export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

export const isOwnZone = createStore(ownZone !== site.timezone && read())

export function showOwnZone(isOwn: boolean): void {
  isOwnZone.set(isOwn)
  try {
    if (isOwn) localStorage.setItem(KEY, '1')
    else localStorage.removeItem(KEY)
  } catch {}
}

function read(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}
