// Notice that the event was deleted while it was edited, with buttons to restore it.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import * as words from '../../../strings.ts'
import { Notice } from '../../../ui/notice.tsx'
import { createNewEventTarget, type Gone } from '../event-store.ts'
import type { Editor } from '../use-editor.ts'

const strings = words.editor

export function DeletedMeanwhile({ gone, editor }: { gone: Gone; editor: Editor }): JSX.Element {
  // One save target for all presses, so that pressing again does not create a second event.
  const [anew] = useState(() => createNewEventTarget('new', editor.values))
  const isDate = gone === 'date_gone'
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Notice kind="bad">
      <h2 ref={heading} class="gone" tabIndex={-1}>
        {isDate ? strings.goneDateTitle : strings.goneTitle}
      </h2>
      <p>{isDate ? strings.goneDate : strings.gone}</p>
      <div class="actions">
        {isDate && (
          <button type="button" class="main" onClick={editor.bringBack}>
            {strings.bringBackSave}
          </button>
        )}
        <button type="button" class={isDate ? '' : 'main'} onClick={() => editor.saveBy(anew)}>
          {isDate ? strings.createAlone : strings.createAnew}
        </button>
      </div>
    </Notice>
  )
}
