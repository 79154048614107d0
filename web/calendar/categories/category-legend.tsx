// Legend of the categories under the calendar: each has its colour, and a press filters by it, also by several.
import type { JSX } from 'preact'
import { categoryClass } from '../../../src/domain/calendar/tones.ts'
import { listLegend, turnCategory } from '../../../src/domain/categories/legend.ts'
import type { Category } from '../../api/contract.ts'
import * as words from '../../strings.ts'

export type KnownCategory = Pick<Category, 'name' | 'color_light' | 'color_dark' | 'description'>

interface CategoryLegendProps {
  categories: readonly KnownCategory[]
  chosen: readonly string[]
  onChoose(names: string[]): void
}

export function CategoryLegend({ categories, chosen, onChoose }: CategoryLegendProps): JSX.Element | null {
  const shown: readonly KnownCategory[] = listLegend(categories, chosen)
  if (shown.length === 0) return null
  return (
    <section class="cal-legend" aria-label={words.calendar.legend}>
      <ul>
        {shown.map(({ name, description }) => (
          <li key={name}>
            <button
              type="button"
              class={`tone-plain ${categoryClass(name)}`}
              aria-pressed={chosen.includes(name)}
              title={description ?? undefined}
              onClick={() => onChoose(turnCategory(name, chosen))}
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
