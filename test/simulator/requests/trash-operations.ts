// Restores many events from the trash at once: what a person or a calendar program deleted, in a span of time.
import type { Json } from '../../support/http/api-response.ts'
import { restoreSelected } from '../model/effects.ts'
import { type DeletedModelEvent, MismatchError, type UidState } from '../model/model.ts'
import type { Simulation } from '../simulation.ts'
import { sendRequest } from './requests.ts'
import { sendOnce } from './settle.ts'

interface TrashSelector {
  body: Record<string, string>
  isSelected: (one: DeletedModelEvent) => boolean
}

const wholeSecond = (at: number): number => Math.floor(at / 1_000) * 1_000

const formatTime = (at: number): string => new Date(at).toISOString().replace('.000', '')

/** Conditions that select at least this entry. */
function makeSelector(
  { random, nodes }: Simulation,
  { deletion: { at, by, device } }: DeletedModelEvent,
): TrashSelector {
  const since = wholeSecond(at) - (random.isHit(0.5) ? 3_600_000 : 0)
  const until = wholeSecond(at) + (random.isHit(0.5) ? 1_000 : 86_400_000)
  const proof = device === undefined ? 'password' : 'app_password'
  const withDevice =
    device === undefined
      ? []
      : [
          {
            body: { credential_id: nodes.credentials[device]!.id },
            isSelected: (one: DeletedModelEvent) => one.deletion.device === device,
          },
        ]
  const choices: TrashSelector[] = [
    { body: { deleted_by: nodes.accounts[by] }, isSelected: (one) => one.deletion.by === by },
    {
      body: { deleted_with: proof },
      isSelected: (one) => (one.deletion.device === undefined) === (device === undefined),
    },
    ...withDevice,
    {
      body: { since: formatTime(since), until: formatTime(until) },
      isSelected: (one) => one.deletion.at >= since && one.deletion.at < until,
    },
  ]
  const [first, second] = [random.pick(choices), random.pick(choices)]
  return {
    body: { ...first.body, ...second.body },
    isSelected: (one) => first.isSelected(one) && second.isSelected(one),
  }
}

/** Undefined where the model cannot tell which of several events is restored. */
export function selectTrash(sim: Simulation): TrashSelector | undefined {
  const since = sim.keptSince()
  const all = sim.uids.flatMap((model) => model.possible().flatMap(({ trash }) => trash))
  if (all.length === 0 || all.some(({ id }) => id.value === undefined)) return undefined
  const { body, isSelected } = makeSelector(sim, sim.random.pick(all))
  return { body, isSelected: (one) => one.deletion.at >= since && isSelected(one) }
}

/** While no other request changes anything: each event has its own result. */
export async function restoreMany(sim: Simulation, node: number, { body, isSelected }: TrashSelector): Promise<void> {
  const request = sim.nextRequest()
  const name = 'restore many'
  const effect = restoreSelected(isSelected)
  const models = sim.uids.filter((model) => model.possible().some(({ trash }) => trash.some(isSelected)))
  for (const model of models) model.begin(request, effect)
  const { response, settled } = await sendOnce(sim, name, `${request} ${name}`, () =>
    sendRequest(sim.node(node), 'writer', { method: 'POST', path: '/trash/restore', body }),
  )
  if (settled === 'refused') throw new MismatchError(`${name} of ${JSON.stringify(body)}: ${response!.text}`)
  for (const model of models) {
    if (settled !== 'done') {
      model.lose(request)
      continue
    }
    const entries = (response!.data.events as Json[]).filter(({ uid }) => uid === model.uid)
    const what = `request ${request}, ${name} of ${JSON.stringify(body)}, has ${JSON.stringify(entries)}`
    const isRestored = entries.some(({ result }) => result === 'restored')
    if (isRestored) model.acknowledge(request)
    // An error around its COMMIT.
    else if (entries.some(({ result }) => result === 'not_stored')) model.lose(request)
    else model.refuse(request, what)
    if (!entries.some(({ result }) => result === 'not_stored'))
      model.observe(
        () => what,
        (state) => isReported(state, entries),
      )
  }
}

/** Nothing is restored under a UID that is in use, and at most one event under any other. */
const isReported = ({ live }: UidState, entries: readonly Json[]): boolean => {
  const restored = entries.filter(({ result }) => result === 'restored')
  return (
    entries.length === 0 ||
    (live !== undefined && restored.length <= 1 && restored.every(({ id }) => id === live.id.value))
  )
}
