// Placeholder for the event form while it loads, or if loading fails.
import type { JSX } from 'preact'
import { ApiError } from '../../api/client.ts'
import { lastCalendar } from '../../app/last-calendar-view.ts'
import { Link } from '../../app/router.tsx'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { Loaded } from '../../ui/use-loaded.ts'

export function FormPlaceholder({
  title,
  loaded,
}: {
  title: string
  loaded: Loaded<unknown> & { again(): void }
}): JSX.Element {
  if (loaded.state !== 'failed') return <Spinner />
  const isGone = loaded.error instanceof ApiError && loaded.error.status === 404
  return (
    <Page title={title}>
      <Notice kind="bad">{isGone ? words.editor.notThere : explain(loaded.error)}</Notice>
      <div class="actions">
        {!isGone && (
          <button type="button" onClick={loaded.again}>
            {words.editor.again}
          </button>
        )}
        <Link to={lastCalendar()} class="button">
          {words.frame.toCalendar}
        </Link>
      </div>
    </Page>
  )
}
