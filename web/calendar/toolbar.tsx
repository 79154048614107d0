// Calendar toolbar: previous, today, next, date picker and view buttons.
import type { ComponentChildren, JSX } from 'preact'
import { boundsAround, CALENDAR_VIEWS, isWithinBounds, stepFrom } from '../../src/contract/calendar-link.ts'
import type { Day } from '../../src/domain/time/instant.ts'
import { dayOf } from '../../src/domain/time/instant.ts'
import { formatDate } from '../../src/domain/time/text.ts'
import type { View } from '../../src/domain/time/window.ts'
import * as words from '../strings.ts'

interface ToolbarProps {
  view: View
  /** Whether search results are shown, and no view. */
  isSearching?: boolean
  /** Whether a list of other days than those of a view is shown. */
  isListed?: boolean
  day: Day
  today: Day
  onGo(to: { view?: View; day?: Day }): void
  children?: ComponentChildren
}

export function Toolbar(props: ToolbarProps): JSX.Element {
  const { view, day, today, isSearching = false, isListed = false, onGo, children } = props
  const [first, last] = boundsAround(today)
  const pick = (text: string): void => {
    const picked = dayOf(Date.parse(text))
    if (isWithinBounds(picked, today)) onGo({ day: picked })
  }
  return (
    <div class="cal-bar">
      <div class="cal-steps">
        <Step {...{ view, day, today, isSearching, onGo }} by={-1} />
        <button type="button" onClick={() => onGo({ day: today })}>
          {words.calendar.today}
        </button>
        <Step {...{ view, day, today, isSearching, onGo }} by={1} />
        <label class="cal-pick">
          <span class="cal-unseen">{words.calendar.goTo}</span>
          <input
            type="date"
            value={formatDate(day)}
            min={formatDate(first)}
            max={formatDate(last)}
            onChange={(event) => pick(event.currentTarget.value)}
          />
        </label>
      </div>
      <fieldset class="cal-views">
        <legend class="cal-unseen">{words.calendar.view}</legend>
        {CALENDAR_VIEWS.map((one) => (
          <button
            type="button"
            key={one}
            aria-pressed={one === view && !isSearching && !isListed}
            onClick={() => onGo({ view: one })}
          >
            {words.calendar.views[one]}
          </button>
        ))}
      </fieldset>
      {children}
    </div>
  )
}

function Step({
  view,
  day,
  today,
  isSearching,
  onGo,
  by,
}: Omit<ToolbarProps, 'children'> & { by: 1 | -1 }): JSX.Element {
  const to = stepFrom(view, day, by)
  return (
    <button
      type="button"
      class="cal-step"
      aria-label={by > 0 ? words.calendar.next[view] : words.calendar.previous[view]}
      disabled={isSearching || !isWithinBounds(to, today)}
      onClick={() => onGo({ day: to })}
    >
      {by > 0 ? '›' : '‹'}
    </button>
  )
}
