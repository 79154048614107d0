// A secret that was just made: it can be copied now and never again.
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import * as words from '../../strings.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { focusOwnList } from './own-list.tsx'

interface ShownOnceProps {
  title: string
  label: string
  secret: string
  onDone(): void
}

export function ShownOnce({ title, label, secret, onDone }: ShownOnceProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current!.focus(), [])
  return (
    <section class="card shown-once">
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <CopyField label={label} text={secret} />
      <p>{words.account.shownOnce}</p>
      <div class="actions">
        <button
          type="button"
          onClick={() => {
            focusOwnList()
            onDone()
          }}
        >
          {words.account.tookIt}
        </button>
      </div>
    </section>
  )
}
