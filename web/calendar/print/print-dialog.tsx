// Dialog before printing: the size of the text, and what the programme looks like.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as words from '../../strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { type PrintSize, printSize } from './print-size.ts'

const strings = words.calendar.print

export interface PrintDialogProps {
  onClose(): void
}

const SIZES: readonly PrintSize[] = ['normal', 'large']

export function PrintDialog({ onClose }: PrintDialogProps): JSX.Element {
  const [size, setSize] = useState(printSize.get)
  const choose = (chosen: PrintSize): void => {
    setSize(chosen)
    printSize.set(chosen)
  }
  const send = (): void => {
    onClose()
    // After this dialog is off the page: it would be printed too.
    setTimeout(() => print())
  }
  return (
    <Dialog title={strings.title} onClose={onClose}>
      <form
        method="post"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <fieldset>
          <legend>{strings.size}</legend>
          {SIZES.map((one) => (
            <label key={one} class="tick">
              <input type="radio" name="size" checked={one === size} onChange={() => choose(one)} />
              <span>
                {strings.sizes[one]}
                <span class="quiet"> {strings.means[one]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <div class="actions">
          <button type="submit" class="main">
            {strings.send}
          </button>
          <button type="button" onClick={onClose}>
            {words.common.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
