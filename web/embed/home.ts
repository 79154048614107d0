// The address of the embedded calendar, and the API client for it.
import type { ApiClient } from '../api/client.ts'

export interface Home {
  /** With a slash at the end. */
  root: string
  api: string
  call: ApiClient
}

let known: Home | undefined

export const setHome = (home: Home): void => {
  known = home
}

export const home = (): Home => known!

/** Server-Sent Events of public changes. */
export const streamAddress = (): string => `${home().api}/public/stream`

/** The calendar’s own page with this event open. */
export const eventAddress = (id: string, occurrenceKey: string | null | undefined): string => {
  const query = new URLSearchParams({ event: id, ...(occurrenceKey ? { at: occurrenceKey } : {}) })
  return `${home().root}?${query}`
}
