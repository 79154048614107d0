// Series with thousands of exceptions: reads load those they need; costly reads are charged and run in short turns.
import assert from 'node:assert/strict'
import type { Caller } from '../../../src/actions/costly-work/semaphore.ts'
import { getEvent } from '../../../src/actions/events/events.ts'
import { listEvents } from '../../../src/actions/events/list-events.ts'
import { getOccurrence } from '../../../src/actions/events/occurrences.ts'
import { listOccurrences } from '../../../src/actions/events/series-occurrences.ts'
import type { ListRequest } from '../../../src/actions/lists/list-request.ts'
import { importCalendar } from '../../../src/actions/transfer/import.ts'
import { createListResponse } from '../../../src/api/events/lists.ts'
import { presentEvent } from '../../../src/api/events/present.ts'
import { createJsonResponse } from '../../../src/api/json-response.ts'
import { ANONYMOUS, OPERATOR, type Viewer } from '../../../src/domain/privacy/viewer.ts'
import { DAY_MS, HOUR_MS } from '../../../src/domain/time/instant.ts'
import { formatBasicLocal } from '../../../src/domain/time/text.ts'
import { requireZone } from '../../../src/domain/time/zone.ts'
import { lines } from '../../ical/objects.ts'
import { startWork } from '../../support/measure/effort.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { testInSharedWorld } from '../../support/shared-world.ts'
import { copySeries } from '../../support/storage/many-events.ts'
import type { World } from '../../support/world.ts'

const HOURLY = `FREQ=DAILY;BYHOUR=${Array.from({ length: 24 }, (_, hour) => hour).join()}`
/** Beyond the index. */
const START = Date.UTC(2029, 0, 1)

const keyAt = (hours: number): string => `${formatBasicLocal(START + hours * HOUR_MS)}Z`

interface Exceptions {
  deleted?: number
  edited?: number
  isPrivate?: boolean
  /** Characters of the description of each edited occurrence. */
  described?: number
}

/** Its first occurrences are deleted, the following ones edited and not moved. */
function calendarOf(uid: string, { deleted = 0, edited = 0, isPrivate = false, described = 0 }: Exceptions): string {
  const head = ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20260101T000000Z', `CLASS:${isPrivate ? 'PRIVATE' : 'PUBLIC'}`]
  const tail = (title: string): string[] => ['DURATION:PT15M', `SUMMARY:${title}`, 'END:VEVENT']
  const range = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => keyAt(from + i))
  const exdates = Array.from({ length: Math.ceil(deleted / 100) }, (_, i) =>
    range(100 * i, Math.min(100 * i + 100, deleted)),
  )
  return lines(
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...[...head, `DTSTART:${keyAt(0)}`, `RRULE:${HOURLY}`],
    ...exdates.map((keys) => `EXDATE:${keys.join()}`),
    ...tail('Series'),
    ...range(deleted, deleted + edited).flatMap((key) => [
      ...[...head, `RECURRENCE-ID:${key}`, `DTSTART:${key}`],
      ...(described > 0 ? [`DESCRIPTION:${'x'.repeat(described)}`] : []),
      ...tail('Edited'),
    ]),
    'END:VCALENDAR',
  )
}

/** PostgreSQL reads in its own process, so that fewer exceptions are enough there. */
const COUNTS = { sqlite: { deleted: 9_900, edited: 2_000 }, postgres: { deleted: 3_600, edited: 1_200 } }
const COPIES = 3

type Ids = Record<'deleted' | 'edited' | 'private' | 'reworded' | 'plain' | 'long', string>

/** Both worlds may be filled before the first test of either. */
const idsIn = new WeakMap<World, Ids>()

async function fill(world: World): Promise<void> {
  const { app, engine } = world
  const { deleted, edited } = COUNTS[engine]
  const kinds = {
    deleted: { deleted },
    edited: { edited },
    private: { deleted, isPrivate: true },
    reworded: { edited, isPrivate: true },
    plain: { isPrivate: true },
    long: { edited: 150, described: 9_000 },
  }
  for (const [uid, exceptions] of Object.entries(kinds)) {
    const report = await importCalendar(app.ctx, OPERATOR, calendarOf(uid, exceptions))
    assert.equal(report.created, 1)
  }
  const rows = await app.ctx.storage.reads.selectFrom('events').select(['uid', 'id']).execute()
  const ids = Object.fromEntries(rows.map(({ uid, id }) => [uid, id])) as Ids
  idsIn.set(world, ids)
  for (const id of [ids.deleted, ids.edited]) await copySeries(world, id, COPIES, 1)
}

type ReadAction = (viewer: Viewer, caller: Caller) => Promise<unknown>

/** Serialises a response as the API does, without a client that would parse it. */
async function assertReads(
  viewer: Viewer,
  reads: Record<string, ReadAction>,
  ms: number,
  isCharged: boolean,
): Promise<void> {
  for (const [name, read] of Object.entries(reads)) {
    const charges: number[] = []
    const caller = { key: 'network', charge: (costMs: number) => void charges.push(costMs) }
    await assertShortTurns(name, { ms }, () => read(viewer, caller))
    assert.equal(charges.length > 0, isCharged, `${name} is charged`)
  }
}

async function compareTurns(world: World): Promise<void> {
  const { ctx } = world.app
  const ids = idsIn.get(world)!
  const zone = requireZone('UTC')
  const days = (first: number, count: number) => ({
    from: START + first * DAY_MS,
    to: START + (first + count) * DAY_MS,
  })
  const page = { page: 1, perPage: 200 }
  const list =
    (asked: Partial<ListRequest>): ReadAction =>
    async (viewer, caller) => {
      const request = { range: undefined, zone, filters: {}, page, expand: true, ...asked }
      const frame = { path: '/events', query: new URLSearchParams(), view: undefined, syncToken: 'x', ...request }
      return createListResponse(await listEvents(ctx, viewer, request, caller), frame)
    }
  const event =
    (id: string): ReadAction =>
    async (viewer, caller) =>
      createJsonResponse(presentEvent(await getEvent(ctx, viewer, id, caller)))
  const light = {
    'a day without exceptions': list({ range: days(730, 1) }),
    'occurrences of a day': (viewer, caller) =>
      listOccurrences(ctx, viewer, ids.deleted, days(730, 1), zone, page, caller),
    'one occurrence': (viewer) => getOccurrence(ctx, viewer, ids.deleted, '20310101T000000'),
  } satisfies Record<string, ReadAction>
  const costly = {
    'forty days of deleted ones': list({ range: days(100, 40) }),
    'twenty days of edited ones': list({ range: days(20, 20) }),
    'each event once': list({ range: days(730, 1), expand: false }),
    'as stored': list({}),
    'a series with deleted ones': event(ids.deleted),
    'a series with edited ones': event(ids.edited),
    'a private series with deleted ones': event(ids.private),
    'occurrences of a year': (viewer, caller) =>
      listOccurrences(ctx, viewer, ids.deleted, days(0, 366), zone, page, caller),
  } satisfies Record<string, ReadAction>
  for (const viewer of [ANONYMOUS, OPERATOR]) {
    await assertReads(viewer, light, 50, false)
    await assertReads(viewer, costly, 100, true)
  }
}

async function compareLong(world: World): Promise<void> {
  const { ctx } = world.app
  const { long } = idsIn.get(world)!
  const read: ReadAction = async (viewer, caller) =>
    createJsonResponse(presentEvent(await getEvent(ctx, viewer, long, caller)))
  await assertReads(OPERATOR, { 'a series with long edits': read }, 50, true)
  await assertReads(ANONYMOUS, { 'the same without its edits': read }, 20, false)
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function compareMasked(world: World): Promise<void> {
  const { ctx } = world.app
  const ids = idsIn.get(world)!
  const charges: number[] = []
  const caller = { key: 'network', charge: (costMs: number) => void charges.push(costMs) }
  const zone = requireZone('UTC')
  const range = { from: START, to: START + 10 * DAY_MS }
  const read = async (id: string): Promise<number> => {
    const work = startWork()
    await getEvent(ctx, ANONYMOUS, id, caller)
    await getOccurrence(ctx, ANONYMOUS, id, '20290102T000000')
    const { items } = await listOccurrences(ctx, ANONYMOUS, id, range, zone, undefined, caller)
    assert.equal(items.length, 240)
    return work()
  }
  // Repeated until the costs are alike: a dependence shows in every round, a disturbance only in some.
  const rounds: string[] = []
  let isAlike = false
  while (!isAlike && rounds.length < 6) {
    const cost: Record<'reworded' | 'plain', number[]> = { reworded: [], plain: [] }
    for (let i = 0; i < 15; i++)
      for (const name of ['reworded', 'plain'] as const) cost[name].push(await read(ids[name]))
    const [reworded, plain] = [median(cost.reworded), median(cost.plain)]
    isAlike = reworded < 1.5 * plain
    rounds.push(`${reworded} ms with edits, ${plain} ms without`)
  }
  assert.ok(isAlike, rounds.join('; '))
  assert.deepEqual(charges, [])
}

testInSharedWorld(
  'many exceptions',
  { prepare: fill },
  {
    'reads load what they need of thousands of exceptions; costly ones are charged, and no turn is long': compareTurns,
    'a series with long edits is a costly read for full readers, and a light one for the public': compareLong,
    'P44: the cost of reading a masked series does not depend on edits that moved nothing': compareMasked,
  },
)
