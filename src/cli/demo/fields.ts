// Converts the cells of a demo row to the fields of an event.
import type { EventFields } from '../../domain/calendar/fields.ts'
import { type Day, type LocalMs, MINUTE_MS } from '../../domain/time/instant.ts'
import { formatDate, formatLocal } from '../../domain/time/text.ts'

interface Cells {
  title: string
  category: string
  room: string
  path: string
  description: string
}

type DemoFields = Pick<EventFields, 'title' | 'description' | 'location' | 'category' | 'url' | 'visibility'>

export const demoFieldsOf = (cells: Cells, visibility: 'public' | 'private'): DemoFields => ({
  title: cells.title,
  description: cells.description || null,
  location: cells.room || null,
  category: cells.category,
  url: cells.path ? `https://example.org/${cells.path}` : null,
  visibility,
})

export const timed = (start: LocalMs, minutes: number): Pick<EventFields, 'start' | 'end'> => ({
  start: formatLocal(start),
  end: formatLocal(start + minutes * MINUTE_MS),
})

/** `last` is inclusive. */
export const allDay = (first: Day, last: Day): Pick<EventFields, 'start' | 'end' | 'all_day'> => ({
  start: formatDate(first),
  end: formatDate(last + 1),
  all_day: true,
})
