// The event editor page: form, buttons, errors, conflict view and the unsaved-work dialog.
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { calendarShowing, lastCalendar } from '../../app/last-calendar-view.ts'
import { goBack, navigate } from '../../app/router.tsx'
import { markSaved } from '../../calendar/saved-mark.ts'
import * as words from '../../strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { explain, hasFields, problemOf } from '../../ui/explain.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toasts.tsx'
import { Conflict } from './conflict/conflict.tsx'
import { DeletedMeanwhile } from './conflict/deleted-meanwhile.tsx'
import type { SavedEvent, SaveTarget, Version } from './event-store.ts'
import { EventForm } from './form/event-form.tsx'
import type { EventValues } from './form/event-values.ts'
import { changedDates } from './read-event.ts'
import { type Editor, useEditor } from './use-editor.ts'
import './editor.css'

const strings = words.editor

interface EventEditorProps {
  title: string
  target: SaveTarget
  first: Version
  /** Values of a new event that were typed elsewhere. */
  typed?: EventValues | undefined
  /** The id of the signed-in user. */
  owner: string
  categories: readonly string[]
  /** The occurrence key of the date that was opened. */
  at?: string | null
  /** Shown above the form. */
  notice?: ComponentChildren
  /** Shown below the form: further actions on the event. */
  more?(editor: Editor): ComponentChildren
}

export function EventEditor(props: EventEditorProps): JSX.Element {
  const { title, target, first, typed, owner, categories, at, notice, more } = props
  const editor = useEditor(target, { first, typed }, owner, (written, saved) => {
    const calendar = calendarFor(written, at)
    if (saved) {
      announce(saved, calendar)
      markSaved(saved.id, saved.at)
    }
    void navigate(calendar, { isSure: true, isReplacing: true })
  })
  const { meanwhile, values, base } = editor
  if (typeof meanwhile === 'object')
    return (
      <>
        <Conflict
          scope={target.scope}
          base={base.values}
          mine={values}
          theirs={meanwhile.values}
          dates={target.scope === 'date' ? [] : changedDates(base.event, meanwhile.event)}
          onSave={(wanted) => editor.saveOver(wanted, meanwhile)}
          onBack={editor.backToForm}
        />
        <Leaving editor={editor} />
      </>
    )
  return (
    <Page title={title}>
      {notice}
      <DraftFound editor={editor} />
      {meanwhile && <DeletedMeanwhile gone={meanwhile} editor={editor} />}
      <Form editor={editor} target={target} categories={categories} />
      {!meanwhile && more?.(editor)}
      <Leaving editor={editor} />
    </Page>
  )
}

function announce({ id, at, dropped }: SavedEvent, calendar: string): void {
  const text = dropped > 0 ? strings.droppedDates(strings.saved, dropped) : strings.saved
  const opened = new URLSearchParams({ event: id, ...(at && { at }) })
  toast(text, undefined, { to: `${calendar}&${opened}`, text: strings.showSaved })
}

/** The calendar address that shows the event; for a series, the date that was opened, unless it now starts later. */
function calendarFor({ repeat, startDate }: EventValues, at: string | null | undefined): string {
  const cameFrom = at ? `${at.slice(0, 4)}-${at.slice(4, 6)}-${at.slice(6, 8)}` : startDate
  const isSeries = repeat.kind !== 'none'
  return calendarShowing(isSeries && cameFrom > startDate ? cameFrom : startDate, isSeries)
}

interface EditorFormProps {
  editor: Editor
  target: SaveTarget
  categories: readonly string[]
}

function Form({ editor, target, categories }: EditorFormProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null)
  const { error, isSaving } = editor
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  return (
    <form
      ref={form}
      class="event-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void editor.save()
      }}
    >
      <EventForm
        values={editor.values}
        onChange={editor.change}
        problem={(field) => problemOf(error, field)}
        scope={target.scope}
        categories={categories}
        before={{
          values: target.scope === 'new' ? undefined : editor.base.values,
          exdates: editor.event?.exdates ?? target.exdates ?? NONE,
        }}
      />
      <div class="keep">
        {error !== undefined && (
          <Notice kind="bad" isAboutFields={hasFields(error)}>
            {explain(error)}
          </Notice>
        )}
        <div class="actions">
          <button type="submit" class="main" aria-disabled={isSaving}>
            {isSaving ? strings.saving : strings.save}
          </button>
          <button type="button" onClick={() => goBack(lastCalendar())}>
            {words.common.cancel}
          </button>
        </div>
      </div>
    </form>
  )
}

const NONE: readonly string[] = []

function DraftFound({ editor }: { editor: Editor }): JSX.Element | null {
  if (!editor.unsaved.found) return null
  return (
    <Notice kind="plain">
      <p>{strings.draftFound}</p>
      <div class="actions">
        <button type="button" onClick={editor.takeDraft}>
          {strings.draftTake}
        </button>
        <button type="button" onClick={editor.unsaved.settle}>
          {strings.draftDrop}
        </button>
      </div>
    </Notice>
  )
}

function Leaving({ editor }: { editor: Editor }): JSX.Element | null {
  const { leaving } = editor.unsaved
  if (!leaving) return null
  return (
    <Dialog title={strings.leaveTitle} onClose={() => leaving(false)}>
      <p>{strings.leave}</p>
      <div class="actions">
        <button type="button" class="main" onClick={() => leaving(false)}>
          {strings.leaveNo}
        </button>
        <button type="button" class="danger" onClick={() => leaving(true)}>
          {strings.leaveYes}
        </button>
      </div>
    </Dialog>
  )
}
