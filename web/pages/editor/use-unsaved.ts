// Tracks unsaved work: stores it as a draft, offers the draft later, and asks before leaving.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { draftsOf } from '../../app/drafts.ts'
import { useLeaveGuard } from '../../app/router.tsx'
import type { Version } from './event-store.ts'
import { type EventValues, isSame } from './form/event-values.ts'

export interface Draft {
  values: EventValues
  /** The version it was based on; the event may have changed since. */
  base: Version
}

export interface Unsaved {
  isDirty: boolean
  /** A draft from before, until the user takes or discards it. */
  found: Draft | undefined
  /** Stops offering the draft. */
  settle(): void
  /** The work is saved or deleted; drops the draft. */
  finish(): void
  /** Set while the user is asked whether to leave unsaved work; call it with the answer. */
  leaving: ((isSure: boolean) => void) | undefined
}

export function useUnsaved(owner: string, name: string, first: Version, written: Draft): Unsaved {
  const drafts = draftsOf<Draft>(owner, name)
  const [found, setFound] = useState(() => differing(drafts.find(), first))
  const isFinished = useRef(false)
  const { values, base } = written
  const isDirty = !isSame(values, base.values)
  useEffect(() => {
    if (isFinished.current) return
    if (isDirty) drafts.keep({ values, base })
    else if (!found) drafts.drop()
  }, [values, base, found])
  return {
    isDirty,
    found,
    settle: () => setFound(undefined),
    finish() {
      isFinished.current = true
      drafts.drop()
    },
    leaving: useLeaving(isDirty, drafts.drop),
  }
}

const differing = (draft: Draft | undefined, first: Version): Draft | undefined =>
  draft && !isSame(draft.values, first.values) ? draft : undefined

/** Confirming to leave discards the draft. */
function useLeaving(isDirty: boolean, onLeft: () => void): Unsaved['leaving'] {
  const [leaving, setLeaving] = useState<Unsaved['leaving']>()
  const ask = useCallback(
    () =>
      new Promise<boolean>((resolve) => {
        setLeaving(() => (isSure: boolean) => {
          setLeaving(undefined)
          if (isSure) onLeft()
          resolve(isSure)
        })
      }),
    [],
  )
  useLeaveGuard(isDirty, ask)
  return leaving
}
