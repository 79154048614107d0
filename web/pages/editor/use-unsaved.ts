// Work that is not saved yet: kept as a draft while it is written, offered back later, and asked about before it is left.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { draftsOf } from '../../app/drafts.ts'
import { useGuard } from '../../app/router.tsx'
import type { Version } from './event-store.ts'
import { type EventValues, isSame } from './form/event-values.ts'

export interface Draft {
  values: EventValues
  /** What it was based on: somebody may have changed the event since. */
  base: Version
}

export interface Unsaved {
  isDirty: boolean
  /** What was being written before, until it is taken or thrown away. */
  found: Draft | undefined
  /** The found draft is dealt with. */
  settle(): void
  /** All is saved, or gone for good. */
  finish(): void
  /** Set while somebody wants to leave unsaved work. */
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

/** Whoever leaves knowingly has thrown away what was written. */
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
  useGuard(isDirty, ask)
  return leaving
}
