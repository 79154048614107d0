// The printed programme of a period, with every event and a legend. It exists only while the page is printed.
import { type JSX, render } from 'preact'
import { toneOf } from '../../../src/domain/calendar/tones.ts'
import * as words from '../../strings.ts'
import { Lock } from '../chip.tsx'
import { type CalendarItem, isMasked } from '../item.ts'
import { printSize } from './print-size.ts'
import { PrintedDays } from './printed-days.tsx'
import { PrintedList } from './printed-list.tsx'
import type { PrintedPeriod } from './printed-period.ts'
import { PrintedYear } from './printed-year.tsx'

/** A class on the root, for the size of everything that is printed. */
const LARGE = 'print-large'

export function watchPrinting(box: HTMLElement, read: () => PrintedPeriod): () => void {
  const place = document.createElement('div')
  place.className = 'cal-printed'
  const before = (): void => {
    const shown = read()
    const isLarge = printSize.get() === 'large'
    document.documentElement.classList.toggle(LARGE, isLarge)
    render(<Programme {...shown} isLarge={isLarge} />, place)
    box.after(place)
  }
  const after = (): void => {
    document.documentElement.classList.remove(LARGE)
    render(null, place)
    place.remove()
  }
  addEventListener('beforeprint', before)
  addEventListener('afterprint', after)
  // For programs that print: the programme is ready.
  box.dataset.prints = ''
  return () => {
    after()
    removeEventListener('beforeprint', before)
    removeEventListener('afterprint', after)
  }
}

/**
 * Seven columns have no room for large text, so on a notice board every period is a list; a year would be a book, and
 * its small months stay.
 */
function Programme({ isLarge, ...shown }: PrintedPeriod & { isLarge: boolean }): JSX.Element {
  const { view, items } = shown
  if (view === 'year') return <PrintedYear {...shown} />
  return (
    <>
      {isLarge || view === 'list' ? <PrintedList {...shown} /> : <PrintedDays {...shown} view={view} />}
      <Legend items={items} />
    </>
  )
}

/** What the colours and the lock beside the events mean. */
function Legend({ items }: { items: readonly CalendarItem[] }): JSX.Element | null {
  const tones = new Map<string, string>()
  for (const item of items)
    if (!isMasked(item) && item.visibility === 'public' && item.category) tones.set(item.category, toneOf(item))
  const isAnyPrivate = items.some(({ visibility }) => visibility === 'private')
  if (tones.size === 0 && !isAnyPrivate) return null
  return (
    <ul class="printed-legend" aria-label={words.calendar.print.legend}>
      {[...tones].sort().map(([name, tone]) => (
        <li key={name} class={tone}>
          {name}
        </li>
      ))}
      {isAnyPrivate && (
        <li class="tone-private">
          <Lock />
          {words.calendar.print.private}
        </li>
      )}
    </ul>
  )
}
