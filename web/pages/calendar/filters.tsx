// Calendar filters: search text and category.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { MAX_Q } from './link.ts'
import type { SearchDirection } from './search-dates.ts'

interface FiltersProps {
  q: string
  category: string
  found: SearchDirection | undefined
  onFilter(wanted: { q?: string; category?: string; found?: undefined }): void
}

/** Debounce: most words are typed by then. */
const TYPING_MS = 350

export function Filters({ q, category, found, onFilter }: FiltersProps): JSX.Element {
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
  const categories = useLoaded((signal) => call('listCategories', { signal }), [])
  const names = (categories.data?.data ?? []).map(({ name }) => name)
  if (category && !names.includes(category)) names.push(category)
  return (
    <search class="cal-filters">
      {/* Its place is kept while the categories are loaded, and where there are none, so that nothing moves. */}
      <div class={names.length > 0 ? undefined : 'none'}>
        <SelectField
          label={words.calendar.category}
          value={category}
          onValue={(value) => onFilter({ category: value })}
          options={[['', words.calendar.allCategories], ...names.map((name) => [name, name] as const)]}
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
