// Page to edit an event: a single event, a whole series, one date, or one date and all later ones.
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { ApiError } from '../../api/client.ts'
import { useRoute } from '../../app/router.tsx'
import { loadTemporal } from '../../app/temporal.ts'
import * as words from '../../strings.ts'
import { useLoaded } from '../../ui/use-loaded.ts'
import { EventEditor } from './editor.tsx'
import { MoreForDate, MoreForEvent, MoreForFollowing } from './event-actions.tsx'
import { createDateTarget, createSeriesTarget, type SaveTarget } from './event-store.ts'
import { createFollowingTarget } from './following-target.ts'
import { listCategoryNames } from './form/category-names.ts'
import { FormPlaceholder } from './form-placeholder.tsx'
import { WhichDates } from './which-dates.tsx'
import { WritersOnly } from './writers-only.tsx'

const strings = words.editor

export default function EditEventPage(): JSX.Element {
  const { query } = useRoute()
  return (
    <WritersOnly title={strings.editTitle}>
      {(writer) => (
        <EditEvent
          key={query.toString()}
          id={query.get('id') ?? ''}
          at={query.get('at')}
          scope={query.get('scope')}
          owner={writer.id}
        />
      )}
    </WritersOnly>
  )
}

interface EditEventProps {
  id: string
  /** The occurrence key of one date. */
  at: string | null
  /** `date`, `following` or `series`, once chosen. */
  scope: string | null
  owner: string
}

function EditEvent({ id, at, scope, owner }: EditEventProps): JSX.Element {
  const key = scope === 'date' || scope === 'following' ? at : null
  const isFollowing = key !== null && scope === 'following'
  const target = useMemo(() => targetOf(id, key, isFollowing), [id, key, isFollowing])
  const loaded = useLoaded(async () => {
    await loadTemporal()
    const [first, categories] = await Promise.all([target.read(), listCategoryNames()])
    if (typeof first === 'string') throw new ApiError('event_not_found', 404)
    return { first, event: first.event!, categories }
  }, [])
  if (loaded.state !== 'ready') return <FormPlaceholder title={strings.editTitle} loaded={loaded} />
  const { first, event, categories } = loaded.data
  if (at && !scope && event.recurring) return <WhichDates event={event} at={at} />
  return (
    <EventEditor
      title={isFollowing ? strings.editFollowingTitle : key ? strings.editDateTitle : strings.editTitle}
      target={target}
      first={first}
      owner={owner}
      categories={categories}
      at={at}
      more={(editor) => {
        if (!key) return <MoreForEvent editor={editor} />
        return isFollowing ? <MoreForFollowing editor={editor} at={key} /> : <MoreForDate editor={editor} at={key} />
      }}
    />
  )
}

function targetOf(id: string, key: string | null, isFollowing: boolean): SaveTarget {
  if (!key) return createSeriesTarget(id)
  return isFollowing ? createFollowingTarget(id, key) : createDateTarget(id, key)
}
