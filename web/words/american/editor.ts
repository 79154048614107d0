// Words of the event editor in American English.
import * as english from '../english/editor.ts'

export const editor: typeof english.editor = {
  ...english.editor,
  statuses: { ...english.editor.statuses, cancelled: 'Canceled' },
}
