// Where the calendar lives that this page shows, and how to ask it.
import type { ApiClient } from '../api/client.ts'

export interface Home {
  /** With a slash at the end. */
  root: string
  call: ApiClient
}

let known: Home | undefined

export const setHome = (home: Home): void => {
  known = home
}

export const home = (): Home => known!

/** The page of the calendar itself, with one event opened. */
export const eventAddress = (id: string, occurrenceKey: string | null | undefined): string => {
  const query = new URLSearchParams({ event: id, ...(occurrenceKey ? { at: occurrenceKey } : {}) })
  return `${home().root}?${query}`
}
