// Lists the exceptions of a series, excluded or changed dates, with a button to undo each.
import type { JSX } from 'preact'
import type { Event, RecurrenceException } from '../../api/contract.ts'
import { call } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { toast } from '../../ui/toasts.tsx'
import { useListFocus } from '../../ui/use-list-focus.ts'
import { momentInWords } from './form/date-words.ts'
import type { Editor } from './use-editor.ts'

const strings = words.editor

export function Exceptions({ editor, event }: { editor: Editor; event: Event }): JSX.Element {
  const restore = async (key: string, text: string) => {
    const path = { event_id: event.id, occurrence_key: key }
    if (await editor.act((etag) => call('deleteException', { path, ifMatch: etag }))) toast(text)
  }
  const place = useListFocus<HTMLDivElement>(event.exceptions.length)
  const leftOut = event.exceptions.filter(({ type }) => type === 'excluded')
  const changed = event.exceptions.filter(({ type }) => type === 'overridden')
  return (
    <div ref={place} tabIndex={-1}>
      {leftOut.length > 0 && (
        <section class="card">
          <h2>{strings.leftOut}</h2>
          <ul class="dates">
            {leftOut.map(({ occurrence_key: key }) => (
              <li key={key}>
                <span>{momentInWords(key)}</span>
                <button
                  type="button"
                  aria-label={strings.bringBackDate(momentInWords(key))}
                  onClick={() => restore(key, strings.broughtBack)}
                >
                  {strings.bringBack}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {changed.length > 0 && (
        <section class="card">
          <h2>{strings.changed}</h2>
          <ul class="dates">
            {changed.map((exception) => (
              <li key={exception.occurrence_key}>
                <span>
                  {momentInWords(exception.occurrence_key)}
                  <span class="quiet"> – {changeInWords(exception)}</span>
                </span>
                <button
                  type="button"
                  aria-label={strings.undoChangeOf(momentInWords(exception.occurrence_key))}
                  onClick={() => restore(exception.occurrence_key, strings.changeUndone)}
                >
                  {strings.undoChange}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function changeInWords({ title, start }: RecurrenceException): string {
  const parts = [...(start ? [strings.movedTo(momentInWords(start))] : []), ...(title ? [strings.called(title)] : [])]
  return parts.join(', ') || strings.wordsChanged
}
