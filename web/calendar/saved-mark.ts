// Marks an event for a moment after it was saved, and brings it into view.
/** Long enough to be found on a full month. */
const SHOWN_MS = 4_000

const CLASS = 'cal-saved'

/** The event, until a grid has shown it for a moment. */
let saved: string | undefined
let timer: ReturnType<typeof setTimeout> | undefined

export function markSaved(id: string): void {
  clearTimeout(timer)
  timer = undefined
  saved = id
}

export const isSaved = ({ id }: { id: string }): boolean => id === saved

/** For FullCalendar’s order: a marked event is first in its day, and so not behind the link to more. */
export const rankOf = (item: { id: string }): number => (isSaved(item) ? -1 : 0)

/** Class name of an event, while it is marked. */
export const savedClass = (item: { id: string }): string | false => isSaved(item) && CLASS

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
