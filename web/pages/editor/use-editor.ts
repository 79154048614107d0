// State of the event editor: values, saving, errors, edit conflicts and drafts.
import { useRef, useState } from 'preact/hooks'
import { ApiError } from '../../api/client.ts'
import type { EventPatch } from '../../api/contract.ts'
import { type Gone, isEditConflict, type SavedEvent, type SaveTarget, type Version } from './event-store.ts'
import { type EventValues, isSame, patchOf } from './form/event-values.ts'
import { changedDates } from './read-event.ts'
import { type Unsaved, useUnsaved } from './use-unsaved.ts'

/** A request conditional on the known ETag. */
type VersionedTask = (etag: string) => Promise<unknown>

export interface Editor {
  values: EventValues
  change(values: EventValues): void
  base: Version
  /** The series as last read, with its exceptions. */
  event: Version['event']
  isSaving: boolean
  error: unknown
  save(): Promise<void>
  /** Deletes the event or the date; resolves to whether it was done. */
  remove(work: VersionedTask): Promise<boolean>
  /** Runs another request on the event, with the same conflict handling; resolves to whether it was done. */
  act(work: VersionedTask): Promise<boolean>
  /** The stored version, if another user has changed or deleted the event meanwhile. */
  meanwhile: Version | Gone | undefined
  saveOver(values: EventValues, version: Version): Promise<void>
  backToForm(): void
  /** Saves to another target, because the original is gone. */
  saveBy(other: SaveTarget): Promise<void>
  /** Restores the deleted date and saves the form to it. */
  bringBack(): Promise<void>
  unsaved: Unsaved
  takeDraft(): void
}

export function useEditor(
  opened: SaveTarget,
  { first, typed }: { first: Version; typed: EventValues | undefined },
  owner: string,
  /** `saved` is undefined after a deletion. */
  onDone: (values: EventValues, saved: SavedEvent | undefined) => void,
): Editor {
  const [target, setTarget] = useState(opened)
  const [base, setBase] = useState(first)
  const [event, setEvent] = useState(first.event)
  const [values, setValues] = useState(typed ?? first.values)
  const [error, setError] = useState<unknown>()
  const [meanwhile, setMeanwhile] = useState<Version | Gone>()
  const unsaved = useUnsaved(owner, opened.name, first, { values, base })
  const { isSaving, alone } = useOneAtATime(() => setError(undefined))

  const settle = (version: Version, isTaken: boolean) => {
    setBase(version)
    setEvent(version.event)
    if (isTaken) setValues(version.values)
  }
  const leave = (written: EventValues, saved?: SavedEvent) => {
    unsaved.finish()
    onDone(written, saved)
  }
  const write = async (by: SaveTarget, wanted: EventValues, against: Version, mayGoOn: boolean): Promise<void> => {
    try {
      const saved = await by.save(wanted, against)
      leave(wanted, saved)
    } catch (refused) {
      await handleRefusal(by, wanted, against, refused, mayGoOn)
    }
  }
  /** Handles a failed request: on a version conflict, reads the current version and decides how to continue. */
  const handleRefusal = async (
    by: SaveTarget,
    wanted: EventValues,
    against: Version,
    refused: unknown,
    mayGoOn: boolean,
  ): Promise<void> => {
    const now = isEditConflict(refused) ? await by.read().catch(() => undefined) : undefined
    if (now === undefined) return setError(refused)
    if (typeof now === 'string') return setMeanwhile(now)
    setTarget(by)
    setEvent(now.event)
    // Only other parts changed, such as single dates: save again without asking.
    if (mayGoOn && isSame(now.values, against.values) && !(by.scope !== 'date' && dropsDates(wanted, against, now)))
      return write(by, wanted, now, false)
    if (!isSame(wanted, against.values)) return setMeanwhile(now)
    settle(now, true)
    setError(refused)
  }
  const attempt = (work: VersionedTask): Promise<boolean> =>
    work(base.etag).then(
      () => true,
      (refused) => handleRefusal(target, values, base, refused, false).then(() => false),
    )
  const reload = async () => {
    const now = await target.read().catch(() => undefined)
    if (now === undefined || typeof now === 'string') return
    // With unsaved work and fields that changed meanwhile, the old base stays, so that saving reports the conflict.
    if (!unsaved.isDirty || isSame(now.values, base.values)) settle(now, !unsaved.isDirty)
    else setEvent(now.event)
  }

  return {
    ...{ values, change: setValues, base, event, isSaving, error, meanwhile, unsaved },
    save: () => alone(() => write(target, values, base, true)),
    async remove(work) {
      let isDone = false
      await alone(async () => {
        isDone = await attempt(work)
      })
      if (isDone) leave(values)
      return isDone
    },
    async act(work) {
      let isDone = false
      await alone(async () => {
        isDone = await attempt(work)
        if (isDone) await reload()
      })
      return isDone
    },
    async saveOver(wanted, version) {
      setMeanwhile(undefined)
      setValues(wanted)
      settle(version, false)
      await alone(() => write(target, wanted, version, true))
    },
    backToForm: () => setMeanwhile(undefined),
    saveBy: (other) => alone(() => write(other, values, base, false)),
    bringBack: () =>
      alone(async () => {
        try {
          const isRestored = await target.bringBack!()
          const now = await target.read()
          if (typeof now === 'string') return setError(new ApiError('occurrence_not_found', 404))
          setEvent(now.event)
          // Restored or edited by another user: both versions are shown.
          if (!isRestored || !target.isOfSeries!(now)) return setMeanwhile(now)
          setMeanwhile(undefined)
          settle(now, false)
          await write(target, values, now, true)
        } catch (refused) {
          setError(refused)
        }
      }),
    takeDraft() {
      setValues(unsaved.found!.values)
      setBase(unsaved.found!.base)
      unsaved.settle()
    },
  }
}

/**
 * Whether saving could drop a changed date that the user has not seen. Exceptions depend on the times and the rule of
 * their series.
 */
function dropsDates(wanted: EventValues, against: Version, now: Version): boolean {
  if (changedDates(against.event, now.event).length === 0) return false
  const patch = patchOf(wanted, now.values)
  return DATE_FIELDS.some((field) => field in patch)
}

const DATE_FIELDS: readonly (keyof EventPatch)[] = ['start', 'end', 'all_day', 'timezone', 'rrule', 'rdates']

/** Ignores a second press while the first is running; disabling the button would come one render too late. */
function useOneAtATime(onStart: () => void): { isSaving: boolean; alone(work: () => Promise<void>): Promise<void> } {
  const [isSaving, setSaving] = useState(false)
  const isBusy = useRef(false)
  const alone = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy.current) return
    isBusy.current = true
    setSaving(true)
    onStart()
    try {
      await work()
    } finally {
      isBusy.current = false
      setSaving(false)
    }
  }
  return { isSaving, alone }
}
