// A form and what happens to it: typed, kept as a draft, saved, refused, overtaken by somebody else. Nothing typed gets lost.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { draftsOf } from '../../app/drafts.ts'
import { useGuard } from '../../app/router.tsx'
import { words } from '../../strings.ts'
import { toast } from '../../ui/toasts.tsx'
import { type EventValues, isSame } from './event-values.ts'
import { type Gone, isOvertaken, type Keeper, type Version } from './keeping.ts'

interface Draft {
  values: EventValues
  /** What it was based on: somebody may have changed the event since. */
  base: Version
}

export interface Editor {
  values: EventValues
  change(values: EventValues): void
  base: Version
  /** The series as last seen, with its exceptions. */
  event: Version['event']
  isDirty: boolean
  isSaving: boolean
  error: unknown
  save(): Promise<void>
  /** Takes the event, or the date, out of the calendar; answers whether it was done. */
  remove(work: (etag: string) => Promise<void>): Promise<boolean>
  /** Something else to do with the event, refused and overtaken in the same way; answers whether it was done. */
  act(work: (etag: string) => Promise<void>): Promise<boolean>
  /** What stands in the calendar meanwhile, if somebody else was faster. */
  meanwhile: Version | Gone | undefined
  saveOver(values: EventValues, version: Version): Promise<void>
  backToForm(): void
  /** Writes it elsewhere: what it was written for is gone. */
  saveBy(other: Keeper): Promise<void>
  /** The date that was taken out comes back, with what was written. */
  bringBack(): Promise<void>
  /** What was being written before, until it is taken or thrown away. */
  draft: Draft | undefined
  takeDraft(): void
  dropDraft(): void
  /** Set while somebody wants to leave unsaved work. */
  leaving: ((isSure: boolean) => void) | undefined
}

export function useEditor(
  keeper: Keeper,
  first: Version,
  owner: string,
  onDone: (values: EventValues) => void,
): Editor {
  const drafts = draftsOf<Draft>(owner, keeper.name)
  const [base, setBase] = useState(first)
  const [event, setEvent] = useState(first.event)
  const [values, setValues] = useState(first.values)
  const [error, setError] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const [meanwhile, setMeanwhile] = useState<Version | Gone>()
  const [draft, setDraft] = useState(() => differing(drafts.find(), first))
  // Two presses in one moment are one: what is shown follows too late for that.
  const isBusy = useRef(false)
  const isDone = useRef(false)
  const isDirty = !isSame(values, base.values)

  useEffect(() => {
    if (isDone.current) return
    if (isDirty) drafts.keep({ values, base })
    else if (!draft) drafts.drop()
  }, [values, base, draft])
  const leaving = useLeaving(isDirty, drafts.drop)

  const settle = (version: Version, isTaken: boolean) => {
    setBase(version)
    setEvent(version.event)
    if (isTaken) setValues(version.values)
  }
  const alone = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (isBusy.current) return undefined
    isBusy.current = true
    setSaving(true)
    setError(undefined)
    try {
      return await work()
    } finally {
      isBusy.current = false
      setSaving(false)
    }
  }
  const leave = () => {
    isDone.current = true
    drafts.drop()
    onDone(values)
  }
  const finish = (dropped: number) => {
    toast(dropped > 0 ? words.editor.droppedDates(dropped) : words.editor.saved)
    leave()
  }
  const meet = async (wanted: EventValues, against: Version, refused: unknown, mayGoOn: boolean): Promise<void> => {
    if (!isOvertaken(refused)) return setError(refused)
    const now = await keeper.read().catch(() => undefined)
    if (now === undefined) return setError(refused)
    if (typeof now === 'string') return setMeanwhile(now)
    setEvent(now.event)
    // Somebody changed other things only, such as single dates: nobody has to choose.
    if (mayGoOn && isSame(now.values, against.values)) return write(wanted, now, false)
    if (isSame(wanted, against.values)) {
      settle(now, true)
      return setError(refused)
    }
    setMeanwhile(now)
  }
  const write = async (wanted: EventValues, against: Version, mayGoOn = true): Promise<void> => {
    try {
      finish(await keeper.save(wanted, against))
    } catch (refused) {
      await meet(wanted, against, refused, mayGoOn)
    }
  }
  const attempt = async (work: (etag: string) => Promise<void>): Promise<boolean> =>
    (await alone(() =>
      work(base.etag).then(
        () => true,
        (refused) => meet(values, base, refused, false).then(() => false),
      ),
    )) ?? false

  return {
    values,
    change: setValues,
    base,
    event,
    isDirty,
    isSaving,
    error,
    save: async () => void (await alone(() => write(values, base))),
    remove: async (work) => {
      const isDone = await attempt(work)
      if (isDone) leave()
      return isDone
    },
    act: async (work) => {
      if (!(await attempt(work))) return false
      const now = await keeper.read().catch(() => undefined)
      if (now !== undefined && typeof now !== 'string') {
        // Unless somebody else changed it in the same moment: then saving will tell.
        if (!isDirty || isSame(now.values, base.values)) settle(now, !isDirty)
        else setEvent(now.event)
      }
      return true
    },
    meanwhile,
    async saveOver(wanted, version) {
      setMeanwhile(undefined)
      setValues(wanted)
      settle(version, false)
      await alone(() => write(wanted, version))
    },
    backToForm: () => setMeanwhile(undefined),
    saveBy: async (other) => void (await alone(() => other.save(values, base).then(finish, setError))),
    bringBack: async () =>
      void (await alone(async () => {
        try {
          await keeper.bringBack?.()
        } catch (refused) {
          return setError(refused)
        }
        const now = await keeper.read()
        if (typeof now === 'string') return
        setMeanwhile(undefined)
        settle(now, false)
        await write(values, now)
      })),
    draft,
    takeDraft() {
      setValues(draft!.values)
      setBase(draft!.base)
      setDraft(undefined)
    },
    dropDraft: () => setDraft(undefined),
    leaving,
  }
}

const differing = (draft: Draft | undefined, first: Version): Draft | undefined =>
  draft && !isSame(draft.values, first.values) ? draft : undefined

/** Whoever leaves knowingly has thrown away what was written. */
function useLeaving(isDirty: boolean, onLeft: () => void): Editor['leaving'] {
  const [leaving, setLeaving] = useState<Editor['leaving']>()
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
