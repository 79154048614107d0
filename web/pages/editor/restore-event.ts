// Undoes the deletion of an event or series: takes it out of the trash.
import { showChanges } from '../../app/last-calendar-view.ts'
import { call } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { toast } from '../../ui/toasts.tsx'

export async function bringBackEvent(event_id: string): Promise<void> {
  try {
    await call('restoreEvent', { path: { event_id } })
    toast(words.editor.eventBroughtBack)
  } catch (error) {
    toast(explain(error))
  }
  showChanges()
}
