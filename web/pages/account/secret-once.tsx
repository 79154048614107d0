// Shows a newly created secret once, with a copy button.
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { session } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { useStore } from '../../ui/store.ts'
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
  const known = useStore(session)
  const isHidden = known.state === 'over' && !known.isAsked
  // After sign-out or a dismissed sign-in dialog the secret is hidden from the next user of this browser.
  useEffect(() => {
    if (isHidden) onDone()
  }, [isHidden])
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
