// Legend of the categories under the calendar: each has its colour, and a press filters by it, also by several.
import type { JSX } from 'preact'
import { categoryClass } from '../../../src/domain/calendar/tones.ts'
import * as words from '../../strings.ts'
import type { KnownCategory } from './known-categories.ts'

interface CategoryLegendProps {
  categories: readonly KnownCategory[]
  chosen: readonly string[]
  onChoose(names: string[]): void
}

/** Others can be chosen above the calendar. */
const MAX_SHOWN = 24

export function CategoryLegend({ categories, chosen, onChoose }: CategoryLegendProps): JSX.Element | null {
  const isChosen = (name: string): boolean => chosen.includes(name)
  const known: readonly KnownCategory[] = [
    ...categories,
    ...chosen.filter((name) => !categories.some((one) => one.name === name)).map((name) => ({ name })),
  ]
  const shown = known.filter(({ name }, i) => i < MAX_SHOWN || isChosen(name))
  if (shown.length === 0) return null
  const turn = (name: string): string[] => (isChosen(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
  return (
    <section class="cal-legend" aria-label={words.calendar.legend}>
      <ul>
        {shown.map(({ name, description }) => (
          <li key={name}>
            <button
              type="button"
              class={`tone-plain ${categoryClass(name)}`}
              aria-pressed={isChosen(name)}
              title={description ?? undefined}
              onClick={() => onChoose(turn(name))}
            >
              <span class="cal-mark" aria-hidden="true" />
              {name}
            </button>
          </li>
        ))}
      </ul>
      <p class="cal-legend-printed" aria-hidden="true">
        {shown
          .filter(({ color_light }) => color_light)
          .map(({ name }) => (
            <span key={name} class={categoryClass(name)}>
              <span class="cal-mark" />
              {name}
            </span>
          ))}
      </p>
      {chosen.length > 0 && (
        <button type="button" class="plain" onClick={() => onChoose([])}>
          {words.calendar.showAll}
        </button>
      )}
    </section>
  )
}
