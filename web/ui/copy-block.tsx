// Several lines to take along: shown as they are, copied by a button that says so.
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import * as words from '../strings.ts'

export function CopyBlock({ label, text }: { label: string; text: string }): JSX.Element {
  const shown = useRef<HTMLPreElement>(null)
  const [copied, setCopied] = useState('')
  const copy = async () => {
    // Without permission the lines stay selected, to be copied by hand.
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/useSemanticElements: nothing in it is filled in. */}
      <pre ref={shown} tabIndex={0} role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}
