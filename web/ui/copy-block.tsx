// Shows several lines of code with a button that copies them to the clipboard.
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import * as words from '../strings.ts'

export function CopyBlock({ label, text }: { label: string; text: string }): JSX.Element {
  const shown = useRef<HTMLPreElement>(null)
  const [copied, setCopied] = useState('')
  const copy = async () => {
    // If the browser refuses the clipboard, the lines stay selected for copying by hand.
    getSelection()?.selectAllChildren(shown.current!)
    await navigator.clipboard?.writeText(text).then(
      () => setCopied(text),
      () => {},
    )
  }
  return (
    <figure class="copy-block">
      <figcaption>
        <span>{label}</span>
        <button type="button" onClick={copy} aria-label={`${words.common.copy}: ${label}`}>
          <span aria-live="polite">{copied === text ? words.common.copied : words.common.copy}</span>
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable block must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/useSemanticElements: it is not a group of form fields. */}
      <pre ref={shown} tabIndex={0} role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}
