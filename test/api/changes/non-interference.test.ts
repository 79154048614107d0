// P47: two worlds that differ only in what the public does not see answer it alike, through random histories.
import assert from 'node:assert/strict'
import { createRandom, type Random } from '../../support/http/raw-requests.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { forEachEngine, makeReadyPlace } from '../../support/storage/engines.ts'
import { openWorld, type World } from '../../support/world.ts'

const STEPS = byRunLength(40, 400)

/** What the model knows of an event, the same in both worlds. */
interface Twin {
  id: string
  isPublic: boolean
  isCancelled: boolean
  isSeries: boolean
  /** Has edited occurrences whose words differ between the worlds. */
  hasHiddenEdits: boolean
  /** Deleted in one world only, after it was cancelled: the public cannot tell. */
  isHalfDeleted: boolean
}

type Choose = <T>(items: readonly T[]) => T

forEachEngine('P47: changes of what the public does not see leave no trace in its change feed', async (engine) => {
  const places = [await makeReadyPlace(engine), await makeReadyPlace(engine)] as const
  const one = await openWorld(engine, places[0])
  const other = await openWorld(engine, places[1])
  const seed = Math.floor(Math.random() * 1e9)
  try {
    await other.app.ctx.storage.writes.updateTable('instance').set({ secret: one.app.ctx.secret }).execute()
    other.app.ctx.secret = one.app.ctx.secret
    await playHistory(one, other, createRandom(seed))
  } catch (error) {
    throw new Error(`with the seed ${seed}`, { cause: error })
  } finally {
    for (const [i, world] of [one, other].entries()) {
      await world.app.close()
      await places[i]!.remove()
    }
  }
})

async function playHistory(one: World, other: World, random: Random): Promise<void> {
  const pick: Choose = (items) => items[random(items.length)]!
  const tokens: (string | undefined)[] = [undefined]
  const twins: Twin[] = []
  for (let step = 0; step < STEPS; step++) {
    const isHidden = await act(one, other, twins, step, pick)
    one.clock.at += 60_000
    other.clock.at += 60_000
    const since = [tokens[0], tokens.at(-1), pick(tokens), pick(tokens)]
    for (const token of since) await compare(one, other, token, pick([1, 2, 100]))
    const { sync_token } = (await one.anonymous.get('/public/events')).body.meta
    if (isHidden) assert.equal(sync_token, tokens.at(-1) ?? sync_token, 'a hidden change moves no token')
    tokens.push(sync_token)
  }
}

async function compare(one: World, other: World, token: string | undefined, limit: number): Promise<void> {
  const query = `limit=${limit}${token === undefined ? '' : `&since=${token}`}`
  const paths = [`/public/changes?${query}`, `/events/changes?${query}`, '/public/events', '/public/sidebar-events']
  for (const path of paths) {
    const [first, second] = [await one.anonymous.get(path), await other.anonymous.get(path)]
    assert.equal(first.status, 200, first.text)
    assert.equal(second.text, first.text, path)
    for (const header of ['etag', 'content-length', 'cache-control'])
      assert.equal(second.headers[header], first.headers[header], path)
  }
}

/** Whether nothing of it is visible to the public. */
async function act(one: World, other: World, twins: Twin[], step: number, pick: Choose): Promise<boolean> {
  const living = twins.filter(({ isHalfDeleted }) => !isHalfDeleted)
  const twin = living.length < 3 || pick([true, false, false, false, false]) ? undefined : pick(living)
  if (!twin) {
    twins.push(await create(one, other, step, pick))
    return twins.at(-1)!.isCancelled
  }
  const hidden = pick([true, false])
  if (hidden && !twin.isPublic) return hiddenly(one, other, twin, step, pick)
  return visibly(one, other, twins, twin, step, pick)
}

async function create(one: World, other: World, step: number, pick: Choose): Promise<Twin> {
  const id = `${step}`.padStart(6, '0').padEnd(26, 'k')
  const isPublic = pick([true, false, false])
  const isSeries = pick([true, false])
  const isCancelled = !isPublic && pick([true, false, false, false])
  for (const world of [one, other]) {
    world.app.ctx.newId = () => id
    await world.writer.creates({
      ...(isPublic ? { title: `Fair ${step}`, location: 'Square' } : wordsFor(world === one, step)),
      ...timesAt(step),
      ...(isSeries ? { rrule: 'FREQ=DAILY;COUNT=6' } : {}),
      visibility: isPublic ? 'public' : 'private',
      ...(isCancelled ? { status: 'cancelled' } : {}),
    })
  }
  return { id, isPublic, isCancelled, isSeries, hasHiddenEdits: false, isHalfDeleted: false }
}

const wordsFor = (isFirst: boolean, step: number) =>
  isFirst
    ? { title: `zqone ${step}`, description: null, location: 'zqward', category: 'zqA', url: 'https://zq.example' }
    : {
        title: `A much longer zqother title ${step}`,
        description: 'zq'.repeat(step + 1),
        location: null,
        category: null,
      }

const timesAt = (step: number) => {
  const day = String(1 + (step % 28)).padStart(2, '0')
  return { start: `2026-08-${day}T10:00`, end: `2026-08-${day}T1${1 + (step % 8)}:00` }
}

async function patch(world: World, path: string, changes: object): Promise<void> {
  const event = (await world.writer.get(path.replace(/\/occurrences.*/, ''))).body.data
  const answer = await world.writer.patch(path, { ...changes, version: event.version })
  assert.equal(answer.status, 200, answer.text)
}

/** Changes words of a private event, differently in each world, or in one of them only. */
async function hiddenly(one: World, other: World, twin: Twin, step: number, pick: Choose): Promise<boolean> {
  const path = `/events/${twin.id}`
  const kinds = [
    'words',
    'alone',
    'status',
    ...(twin.isSeries ? ['edit'] : []),
    ...(twin.isCancelled ? ['delete'] : []),
  ]
  switch (pick(kinds)) {
    case 'words':
      for (const world of [one, other]) await patch(world, path, wordsFor(world === one, step))
      break
    case 'alone':
      await patch(pick([one, other]), path, { title: `zqalone ${step}`, transparency: 'transparent' })
      break
    case 'status':
      if (!twin.isCancelled) await patch(one, path, { status: pick(['tentative', 'confirmed']) })
      break
    case 'edit': {
      const event = (await one.writer.get(path)).body.data
      const key = event.start.slice(0, 19).replaceAll(/[-:]/g, '')
      if (event.exdates.includes(key)) break
      await patch(one, `${path}/occurrences/${key}`, { title: `zqedited ${step}` })
      twin.hasHiddenEdits = true
      break
    }
    case 'delete':
      assert.equal((await one.writer.delete(path)).status, 204)
      twin.isHalfDeleted = true
  }
  return true
}

/** Changes the same in both worlds; of a cancelled private event it is hidden nevertheless. */
async function visibly(
  one: World,
  other: World,
  twins: Twin[],
  twin: Twin,
  step: number,
  pick: Choose,
): Promise<boolean> {
  const path = `/events/${twin.id}`
  const both = async (changes: object) => {
    for (const world of [one, other]) await patch(world, path, changes)
  }
  const wasUnseen = !twin.isPublic && twin.isCancelled
  switch (pick(['move', 'move', 'flip', 'cancel', 'delete', 'restore', 'exclude'])) {
    case 'move':
      await both(timesAt(step))
      return wasUnseen
    case 'flip': {
      if (twin.hasHiddenEdits && !twin.isPublic) return false
      twin.isPublic = !twin.isPublic
      const words = { title: `Open ${step}`, description: null, location: null, category: 'Fair', url: null }
      const status = twin.isCancelled ? 'cancelled' : 'confirmed'
      const shown = { ...words, status, transparency: 'opaque', visibility: 'public' }
      if (twin.isPublic) await both(shown)
      else
        for (const world of [one, other])
          await patch(world, path, { ...wordsFor(world === one, step), visibility: 'private' })
      return false
    }
    case 'cancel':
      twin.isCancelled = !twin.isCancelled
      await both({ status: twin.isCancelled ? 'cancelled' : 'confirmed', ...timesAt(step) })
      return false
    case 'delete':
    case 'restore': {
      const isRestored = pick([true, false])
      for (const world of [one, other]) {
        assert.equal((await world.writer.delete(path)).status, 204)
        if (isRestored) assert.equal((await world.writer.post(`/trash/${twin.id}/restore`, undefined)).status, 200)
      }
      if (!isRestored) twins.splice(twins.indexOf(twin), 1)
      return wasUnseen
    }
    default: {
      const event = (await other.writer.get(path)).body.data
      const key = event.start.slice(0, 19).replaceAll(/[-:]/g, '')
      if (!twin.isSeries || twin.hasHiddenEdits || event.exdates.includes(key)) return false
      for (const world of [one, other])
        assert.equal((await world.writer.delete(`${path}/occurrences/${key}`)).status, 204)
      return wasUnseen
    }
  }
}
