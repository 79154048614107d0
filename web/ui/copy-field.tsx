// Shows one line of text, selected on focus, with a button that copies it to the clipboard.
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import * as words from '../strings.ts'

export function CopyField({ label, text }: { label: string; text: string }): JSX.Element {
  const id = useId()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    // If the browser refuses the clipboard, the text stays selected for copying by hand.
    ;(document.getElementById(id) as HTMLInputElement).select()
    await navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => {},
    )
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="pair">
        <input id={id} readOnly value={text} onFocus={(e) => e.currentTarget.select()} />
        <button type="button" onClick={copy}>
          <span aria-live="polite">{isCopied ? words.common.copied : words.common.copy}</span>
        </button>
      </div>
    </div>
  )
}
