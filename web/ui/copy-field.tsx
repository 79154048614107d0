// A text to take along: shown whole, selected by a click, copied by a button that says so.
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import * as words from '../strings.ts'

export function CopyField({ label, text }: { label: string; text: string }): JSX.Element {
  const id = useId()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    // Without permission the text stays selected, to be copied by hand.
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
