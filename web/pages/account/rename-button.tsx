// Rename button that opens a dialog with one field.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as words from '../../strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { problemOf, requireFilled } from '../../ui/explain.ts'
import { TextField } from '../../ui/field.tsx'
import { Form, useSubmission } from '../../ui/form.tsx'

interface RenameButtonProps {
  name: string
  onRename(name: string): Promise<unknown>
}

export function RenameButton({ name, onRename }: RenameButtonProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-label={words.account.renameNamed(name)} onClick={() => setOpen(true)}>
        {words.account.rename}
      </button>
      {isOpen && <Renaming name={name} onRename={onRename} onClose={() => setOpen(false)} />}
    </>
  )
}

function Renaming({ name, onRename, onClose }: RenameButtonProps & { onClose(): void }): JSX.Element {
  const [typed, setTyped] = useState(name)
  const sending = useSubmission()
  const send = async () => {
    requireFilled({ name: typed })
    await onRename(typed)
    onClose()
  }
  return (
    <Dialog title={words.account.renameTitle(name)} onClose={onClose}>
      <Form sending={sending} onSend={send} button={words.common.save}>
        <TextField
          label={words.account.name}
          value={typed}
          onValue={setTyped}
          problem={problemOf(sending.error, 'name')}
          input={{ maxLength: 100, autoComplete: 'off', autoFocus: true }}
        />
      </Form>
    </Dialog>
  )
}
