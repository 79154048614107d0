// Fixes the ARIA roles and labels of FullCalendar’s markup after each redraw.
import { type Day, dayOf } from '../../src/domain/time/instant.ts'
import * as words from '../strings.ts'
import { formatLongDay, formatShortDay } from '../words/formats.ts'

/** Changes only what is still wrong, so that the observer does not loop. Returns a function that stops it. */
export function watchMarkup(box: HTMLElement, onChange: () => void): () => void {
  const fix = (): void => {
    fixLists(box)
    fixMonths(box)
    fixLabels(box)
    onChange()
  }
  const observer = new MutationObserver(fix)
  observer.observe(box, { childList: true, subtree: true, attributeFilter: ['aria-label', 'data-date'] })
  fix()
  return () => observer.disconnect()
}

/** A list may hold only list items; the events of a day are buttons. */
function fixLists(box: HTMLElement): void {
  for (const list of box.querySelectorAll('[role="list"]:has(> [role="button"])')) list.setAttribute('role', 'group')
}

/** The heading of a month must not be inside its grid role. */
function fixMonths(box: HTMLElement): void {
  for (const month of box.querySelectorAll('.cal-month[role="grid"]')) {
    month.setAttribute('role', 'group')
    month.lastElementChild!.setAttribute('role', 'grid')
    month.lastElementChild!.setAttribute('aria-labelledby', month.getAttribute('aria-labelledby')!)
  }
}

/** A label on a day cell would hide its events, so the link carries it; a column header is named by its text. */
function fixLabels(box: HTMLElement): void {
  for (const part of box.querySelectorAll('[role="columnheader"][aria-label], [role="grid"][aria-label]'))
    adaptLabel(part)
  for (const cell of box.querySelectorAll('[role="gridcell"][aria-label]')) cell.removeAttribute('aria-label')
  for (const text of box.querySelectorAll('[role="columnheader"] [aria-hidden]')) text.removeAttribute('aria-hidden')
  for (const head of box.querySelectorAll('[role="rowheader"]:empty')) head.setAttribute('role', 'gridcell')
  for (const link of box.querySelectorAll('.cal-month-head [aria-label]')) link.removeAttribute('aria-label')
  for (const link of box.querySelectorAll('[role="columnheader"] .cal-link, .cal-list-head .cal-link')) {
    const day = link.closest<HTMLElement>('[data-date]')!
    const name = headName(link.textContent!, dayOf(Date.parse(day.dataset.date!)))
    if (link.getAttribute('aria-label') !== name) link.setAttribute('aria-label', name)
  }
}

/** FullCalendar writes dates with Intl; a language may adapt them. */
function adaptLabel(part: Element): void {
  const label = part.getAttribute('aria-label')!
  const adapted = words.times.day(label)
  if (adapted !== label) part.setAttribute('aria-label', adapted)
}

/** The label starts with the visible text: "Tue 14 July 2026" above a column, "Tuesday 14 July 2026" in a list. */
const headName = (seen: string, day: Day): string =>
  formatLongDay(day).startsWith(seen) ? formatLongDay(day) : `${seen.split(' ')[0]} ${formatShortDay(day)}`
