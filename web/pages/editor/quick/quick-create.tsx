// Quick form on the calendar: title and time of a new event, beside the day or hour that was chosen.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { dayOf } from '../../../../src/domain/time/instant.ts'
import { calendarShowing, showChanges } from '../../../app/last-calendar-view.ts'
import { navigate } from '../../../app/router.tsx'
import { loadTemporal } from '../../../app/temporal.ts'
import type { GridSpan } from '../../../calendar/grid-span.ts'
import { markSaved } from '../../../calendar/saved-mark.ts'
import { site } from '../../../site.ts'
import * as words from '../../../strings.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { problemOf } from '../../../ui/explain.ts'
import { Checkbox, TextField } from '../../../ui/field.tsx'
import { Form, useSubmission } from '../../../ui/form.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { useLoaded } from '../../../ui/use-loaded.ts'
import { formatLongDay } from '../../../words/formats.ts'
import { createNewEventTarget } from '../event-store.ts'
import { type EventValues, newValues, startOf, withAllDay, withStart } from '../form/event-values.ts'
import { handOver } from '../typed-values.ts'
import { placeBeside, targetOf } from './place-beside.ts'
import './quick.css'

const strings = words.editor

export interface QuickCreateProps {
  span: GridSpan
  onClose(): void
}

export function QuickCreate({ span, onClose }: QuickCreateProps): JSX.Element | null {
  const loaded = useLoaded(async () => {
    await loadTemporal()
    return newValues({
      ...{ start: span.start, end: span.end, isAllDay: span.isAllDay },
      ...{ timezone: site.timezone, visibility: site.default_visibility, now: Date.now() },
    })
  }, [])
  return loaded.data ? <QuickForm span={span} first={loaded.data} onClose={onClose} /> : null
}

interface QuickFormProps extends QuickCreateProps {
  first: EventValues
}

function QuickForm({ span, first, onClose }: QuickFormProps): JSX.Element {
  const [values, setValues] = useState(first)
  const [target] = useState(() => createNewEventTarget('quick', first))
  const sending = useSubmission()
  const close = (): void => {
    onClose()
    // A dialog returns the focus to where it was; a press with the mouse had it nowhere.
    queueMicrotask(() => document.activeElement === document.body && targetOf(span)?.focus({ preventScroll: true }))
  }
  const save = async (): Promise<void> => {
    const { id } = await target.save(values, { values: first, etag: '', event: undefined })
    const calendar = calendarShowing(values.startDate, false)
    markSaved(id)
    close()
    toast(strings.saved, undefined, {
      to: `${calendar}&${new URLSearchParams({ event: id })}`,
      text: strings.showSaved,
    })
    // A filter may hide the new event.
    if (new URLSearchParams(location.search).has('category')) void navigate(calendar, { isReplacing: true })
    showChanges()
  }
  const openForm = (): void => {
    handOver(values)
    onClose()
    void navigate(`/event/new?${new URLSearchParams(startOf(values))}`)
  }
  const problem = (field: string): string | undefined => problemOf(sending.error, field)
  return (
    <Dialog
      title={strings.newTitle}
      className="quick"
      isPinned={values.title !== ''}
      onOpen={(dialog) => placeBeside(dialog, span)}
      onClose={close}
    >
      <Form
        sending={sending}
        onSend={save}
        button={strings.save}
        working={strings.saving}
        actions={
          <button type="button" onClick={openForm}>
            {strings.moreOptions}
          </button>
        }
      >
        <TextField
          label={strings.title}
          value={values.title}
          problem={problem('title')}
          onValue={(title) => setValues({ ...values, title })}
          input={{ autofocus: true, autocomplete: 'off' }}
        />
        <p class="quick-day">{daysOf(values)}</p>
        <Checkbox
          label={strings.allDay}
          isOn={values.allDay}
          onChange={(allDay) => setValues(withAllDay(values, allDay))}
        />
        {!values.allDay && (
          <div class="quick-times">
            <TextField
              label={strings.startTime}
              value={values.startTime}
              problem={problem('start')}
              onValue={(startTime) => setValues(withStart(values, { startTime }))}
              input={{ type: 'time' }}
            />
            <TextField
              label={strings.endTime}
              value={values.endTime}
              problem={problem('end')}
              onValue={(endTime) => setValues({ ...values, endTime })}
              input={{ type: 'time' }}
            />
          </div>
        )}
        <p class="hint">{noteOf(values)}</p>
      </Form>
    </Dialog>
  )
}

function daysOf({ startDate, endDate }: EventValues): string {
  const day = (date: string): string => formatLongDay(dayOf(Date.parse(date)))
  return startDate === endDate ? day(startDate) : `${day(startDate)} ${words.times.toDay} ${day(endDate)}`
}

/** Who will see it, and in which zone the times are, since neither can be chosen here. */
function noteOf({ visibility, allDay }: EventValues): string {
  const seen = visibility === 'public' ? strings.quickPublic : strings.quickPrivate
  return allDay ? seen : `${seen} ${strings.zoneIs(site.timezone)}`
}
