// History page of an event for writers: its versions, what each changed, and restoring one.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../../api/client.ts'
import { Link, useRoute } from '../../app/router.tsx'
import { call } from '../../app/session.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { Notice } from '../../ui/notice.tsx'
import { focusHeading, Page } from '../../ui/page.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { LoadedSection, Pager } from '../admin/parts.tsx'
import { readEvent } from '../editor/read-event.ts'
import { WritersOnly } from '../editor/writers-only.tsx'
import { VersionItem } from './version-item.tsx'
import './history.css'

const text = words.history

export default function HistoryPage(): JSX.Element {
  const id = useRoute().query.get('id') ?? ''
  return <WritersOnly title={text.title}>{() => <EventHistory key={id} id={id} />}</WritersOnly>
}

function EventHistory({ id }: { id: string }): JSX.Element {
  const [page, setPage] = useState(1)
  const loaded = useLoaded(
    async (signal) => {
      const [event, history] = await Promise.all([
        readEvent(id),
        call('listEventHistory', { path: { event_id: id }, query: { page }, signal }),
      ])
      return { event, ...history }
    },
    [id, page],
  )
  const settle = (): void => {
    setPage(1)
    loaded.again()
    // The comparison and its focused button disappear.
    focusHeading()
  }
  if (loaded.state === 'failed' && isGone(loaded.error)) return <Gone />
  return (
    <Page title={text.title} width="wide">
      <div class="history">
        <LoadedSection loaded={loaded}>
          {({ event, data, meta }) => (
            <>
              <p>
                {text.of} <Link to={addressOf(event)}>{event.title}</Link>.{' '}
                {site.keeps_history ? text.lead : text.notKept}
              </p>
              <ol class="version-list">
                {data.map((entry, i) => (
                  <VersionItem
                    key={`${entry.version} ${event.version}`}
                    id={id}
                    entry={entry}
                    isOldest={i === data.length - 1 && page === (meta?.pagination?.total_pages ?? 1)}
                    onRestored={settle}
                  />
                ))}
              </ol>
              <Pager meta={meta} onPage={setPage} />
            </>
          )}
        </LoadedSection>
      </div>
    </Page>
  )
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'event_not_found'

const Gone = (): JSX.Element => (
  <Page title={text.title}>
    <Notice kind="plain">
      {text.notFound}
      {site.keeps_trash && (
        <>
          {' '}
          {text.inTrash} <Link to="/trash">{words.frame.trash}</Link>
        </>
      )}
    </Notice>
  </Page>
)

/** The calendar at its first date, with its details open. */
const addressOf = ({ id, start }: { id: string; start: string }): string =>
  `/?${new URLSearchParams({ date: start.slice(0, 10), event: id })}`
