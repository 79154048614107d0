// Page to create an event: empty, at a time clicked on the calendar, or as a copy.
import type { JSX } from 'preact'
import { ApiError } from '../../api/client.ts'
import { useRoute } from '../../app/router.tsx'
import { loadTemporal } from '../../app/temporal.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { Notice } from '../../ui/notice.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { EventEditor } from './editor.tsx'
import { createNewEventTarget, createSeriesTarget, type SaveTarget, type Version } from './event-store.ts'
import { listCategoryNames } from './form/category-names.ts'
import { newValues } from './form/event-values.ts'
import { FormPlaceholder } from './form-placeholder.tsx'
import { takeTyped } from './typed-values.ts'
import { WritersOnly } from './writers-only.tsx'

const strings = words.editor

export default function NewEventPage(): JSX.Element {
  const { query } = useRoute()
  return (
    <WritersOnly title={strings.newTitle}>
      {(writer) => <NewEvent key={query.toString()} query={query} owner={writer.id} />}
    </WritersOnly>
  )
}

function NewEvent({ query, owner }: { query: URLSearchParams; owner: string }): JSX.Element {
  const copied = query.get('copy')
  const loaded = useLoaded(async () => {
    await loadTemporal()
    const typed = copied ? undefined : takeTyped()
    const [beginning, categories] = await Promise.all([copied ? copyOf(copied) : fresh(query), listCategoryNames()])
    return { ...beginning, categories, typed }
  }, [])
  if (loaded.state !== 'ready') return <FormPlaceholder title={strings.newTitle} loaded={loaded} />
  const { target, first, categories, typed } = loaded.data
  return (
    <EventEditor
      title={copied ? strings.copyTitle : strings.newTitle}
      target={target}
      first={first}
      typed={typed}
      owner={owner}
      categories={categories}
      notice={copied && <Notice kind="plain">{strings.copied(first.values.title)}</Notice>}
    />
  )
}

interface StartingPoint {
  target: SaveTarget
  first: Version
}

function fresh(query: URLSearchParams): StartingPoint {
  const values = newValues({
    start: query.get('start'),
    end: query.get('end'),
    isAllDay: query.get('all_day') === '1',
    timezone: site.timezone,
    visibility: site.default_visibility,
    now: Date.now(),
  })
  return { target: createNewEventTarget('new', values), first: { values, etag: '', event: undefined } }
}

/** Excluded dates are copied; overrides of single dates are not. */
async function copyOf(id: string): Promise<StartingPoint> {
  const found = await createSeriesTarget(id).read()
  if (typeof found === 'string') throw new ApiError('event_not_found', 404)
  const { values, event } = found
  return {
    target: createNewEventTarget(`copy ${id}`, values, event!.exdates),
    first: { values, etag: '', event: undefined },
  }
}
