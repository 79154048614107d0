// Calendar filters: search text and categories.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { MAX_Q } from '../../../src/contract/calendar-link.ts'
import type { KnownCategory } from '../../calendar/categories/category-legend.tsx'
import * as words from '../../strings.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import type { SearchDirection } from './search-dates.ts'

interface FiltersProps {
  q: string
  categories: readonly string[]
  known: readonly KnownCategory[]
  found: SearchDirection | undefined
  onFilter(wanted: { q?: string; categories?: readonly string[]; found?: undefined }): void
}

/** Debounce: most words are typed by then. */
const TYPING_MS = 350

export function Filters({ q, categories, known, found, onFilter }: FiltersProps): JSX.Element {
  const [typed, setTyped] = useState(q)
  // Another filter may be chosen while the text is awaited, and must not be undone by it.
  const latest = useRef({ found, onFilter })
  latest.current = { found, onFilter }
  useEffect(() => setTyped(q), [q])
  useEffect(() => {
    if (typed.trim() === q) return
    const timer = setTimeout(() => {
      // Another text is another search, from today on, unless the direction was chosen after it.
      const isTurned = latest.current.found !== found
      latest.current.onFilter({ q: typed.trim(), ...(isTurned ? {} : { found: undefined }) })
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const names = known.map(({ name }) => name)
  for (const name of categories) if (!names.includes(name)) names.push(name)
  const options: [string, string][] = [
    ['', words.calendar.allCategories],
    ...names.map((name): [string, string] => [name, name]),
  ]
  // Several are chosen in the legend; no name has a line break.
  const isSeveral = categories.length > 1
  if (isSeveral) options.unshift(['\n', words.calendar.severalCategories(categories.length)])
  return (
    <search class="cal-filters">
      {/* Its place is kept while the categories are loaded, and where there are none, so that nothing moves. */}
      <div class={names.length > 0 ? undefined : 'none'}>
        <SelectField
          label={words.calendar.category}
          value={isSeveral ? '\n' : (categories[0] ?? '')}
          onValue={(value) => value !== '\n' && onFilter({ categories: value ? [value] : [] })}
          options={options}
        />
      </div>
      <TextField
        label={words.calendar.search}
        value={typed}
        onValue={setTyped}
        input={{ type: 'search', maxLength: MAX_Q, placeholder: words.calendar.search }}
      />
    </search>
  )
}
