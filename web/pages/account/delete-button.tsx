// Delete button that asks for confirmation in a dialog.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as words from '../../strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, useSubmission } from '../../ui/form.tsx'
import { toast } from '../../ui/toasts.tsx'

interface DeleteButtonProps {
  name: string
  /** The consequences, shown in the dialog. */
  warning: string
  onDelete(): Promise<unknown>
}

export function DeleteButton({ name, warning, onDelete }: DeleteButtonProps): JSX.Element {
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
      <button
        type="button"
        class="danger"
        aria-label={words.account.deleteNamed(name)}
        onClick={() => setConfirming(true)}
      >
        {words.common.delete}
      </button>
      {isConfirming && (
        <DeleteConfirmation name={name} warning={warning} onDelete={onDelete} onClose={() => setConfirming(false)} />
      )}
    </>
  )
}

function DeleteConfirmation({
  name,
  warning,
  onDelete,
  onClose,
}: DeleteButtonProps & { onClose(): void }): JSX.Element {
  const sending = useSubmission()
  const send = async () => {
    await onDelete()
    toast(words.account.deleted(name))
    onClose()
  }
  return (
    <Dialog title={words.account.deleteTitle(name)} onClose={onClose}>
      <p>{warning}</p>
      <Form
        sending={sending}
        onSend={send}
        button={words.common.delete}
        isDanger
        actions={
          <button type="button" onClick={onClose}>
            {words.account.keep}
          </button>
        }
      />
    </Dialog>
  )
}
