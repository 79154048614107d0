// Marks an event for a moment after it was saved, and brings it into view.
/** Long enough to be found on a full month. */
const SHOWN_MS = 4_000

const CLASS = 'cal-saved'

/** An event of the calendar; of a series, one date. */
interface Saved {
  id: string
  occurrence_key?: string | null
}

/** The event, until a grid has shown it for a moment. */
let saved: Saved | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** `at` is the occurrence key, if one date of a series was saved. */
export function markSaved(id: string, at?: string): void {
  clearTimeout(timer)
  timer = undefined
  saved = { id, ...(at && { occurrence_key: at }) }
}

const isSaved = (item: Saved): boolean =>
  item.id === saved?.id && (saved.occurrence_key === undefined || saved.occurrence_key === item.occurrence_key)

/** For FullCalendar’s order: a marked event is first in its day, and so not behind the link to more. */
export const rankOf = (item: Saved): number => (isSaved(item) ? -1 : 0)

/** Class name of an event, while it is marked. */
export const savedClass = (item: Saved): string | false => isSaved(item) && CLASS

/** Call when the events of the grid are rendered. */
export function showSaved(box: HTMLElement): void {
  const found = box.querySelector<HTMLElement>(`.${CLASS}`)
  if (!found || timer) return
  found.scrollIntoView({ block: 'nearest' })
  timer = setTimeout(() => {
    saved = undefined
    timer = undefined
    for (const element of box.querySelectorAll(`.${CLASS}`)) element.classList.remove(CLASS)
  }, SHOWN_MS)
}
