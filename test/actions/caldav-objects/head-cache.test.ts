// Cached heads of objects: current after every kind of change, and bounded in number.
import assert from 'node:assert/strict'
import { createHeadCache } from '../../../src/actions/caldav-objects/head-cache.ts'
import { createRevisionReader } from '../../../src/actions/maintenance/revision-reader.ts'
import { ANONYMOUS, OPERATOR } from '../../../src/domain/privacy/viewer.ts'
import { listObjectHeadsAt, listObjectHeadsNamed } from '../../../src/storage/events/objects.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { withWorld } from '../../support/world.ts'

const NAMES = Array.from({ length: 12 }, (_, i) => `${i}.ics`)

forEachEngine('cached heads are those of the database after changes, renames and deletions', (engine) =>
  withWorld(engine, async ({ app: { ctx }, writer }) => {
    const { reads } = ctx.storage
    const dav = davOf(writer)
    const put = async (name: string, summary: string): Promise<void> => {
      const exists = (await listObjectHeadsNamed(reads, [name])).length > 0
      const answer = await dav.put(
        `${MAIN}${name}`,
        eventText(name, `SUMMARY:${summary}`),
        exists ? { 'if-match': '*' } : {},
      )
      assert.ok(answer.status < 300, `${name}: ${answer.status}`)
    }
    const remove = (name: string): Promise<unknown> => dav.send('DELETE', `${MAIN}${name}`)
    const rename = (from: string, to: string): Promise<unknown> =>
      dav.send('MOVE', `${MAIN}${from}`, undefined, { destination: `${MAIN}${to}`, overwrite: 'F' })
    const readState = createRevisionReader(ctx)
    const cache = createHeadCache(ctx)
    const small = createHeadCache(ctx, { maxHeads: 3, maxChanges: 1 })
    const check = async (what: string): Promise<void> => {
      const expected = (await listObjectHeadsNamed(reads, NAMES)).sort((a, b) => a.key - b.key)
      for (const heads of [
        await cache.open(OPERATOR, await readState()),
        await small.open(OPERATOR, await readState()),
      ])
        for (let round = 0; round < 2; round++) {
          const named = await heads.listNamed(NAMES)
          assert.deepEqual(
            named.map(({ dav_name: name }) => name),
            NAMES.filter((name) => expected.some((row) => row.dav_name === name)),
            what,
          )
          assert.deepEqual(
            named.toSorted((a, b) => a.key - b.key),
            expected,
            what,
          )
          const keys = [...expected.map(({ key }) => key), 999_999]
          assert.deepEqual(await heads.listAt(keys), await listObjectHeadsAt(reads, keys), what)
        }
    }
    const steps: Record<string, () => Promise<unknown>> = {
      'nothing there': async () => {},
      created: async () => {
        for (const name of NAMES.slice(0, 8)) await put(name, 'First')
      },
      changed: () => put('1.ics', 'Second'),
      deleted: () => remove('2.ics'),
      renamed: () => rename('3.ics', '9.ics'),
      'renamed to the name of a deleted one': () => rename('4.ics', '2.ics'),
      'deleted and created again': async () => {
        await remove('5.ics')
        await put('5.ics', 'Again')
      },
      'names exchanged': async () => {
        await rename('0.ics', '10.ics')
        await rename('1.ics', '0.ics')
        await rename('10.ics', '1.ics')
      },
      'several changes': async () => {
        for (const name of ['6.ics', '7.ics', '11.ics']) await put(name, 'Later')
        await remove('7.ics')
      },
    }
    for (const [what, step] of Object.entries(steps)) {
      await step()
      await check(what)
    }
  }),
)

forEachEngine('a head read for an earlier revision is not kept for a later one', (engine) =>
  withWorld(engine, async ({ app: { ctx }, writer }) => {
    const dav = davOf(writer)
    assert.equal((await dav.put(`${MAIN}a.ics`, eventText('a.ics'))).status, 201)
    const readState = createRevisionReader(ctx)
    const cache = createHeadCache(ctx)
    await assert.rejects(cache.open(ANONYMOUS, await readState()))
    const earlier = await cache.open(OPERATOR, await readState())
    assert.equal(earlier.findNamed('a.ics'), undefined)
    assert.equal((await dav.put(`${MAIN}b.ics`, eventText('b.ics'))).status, 201)
    const later = await cache.open(OPERATOR, await readState())
    const [head] = await earlier.listNamed(['a.ics'])
    assert.equal(head!.dav_name, 'a.ics')
    assert.equal(later.findNamed('a.ics'), undefined)
    await later.listNamed(['a.ics'])
    assert.deepEqual(later.findNamed('a.ics'), head)
    assert.deepEqual(earlier.findNamed('a.ics'), head, 'an earlier request may see what is current')
    const { history, revision } = await readState()
    const restored = await cache.open(OPERATOR, { history: history + 1, revision: revision + 1 })
    assert.equal(restored.findNamed('a.ics'), undefined, 'another database')
    assert.equal(later.findNamed('a.ics'), undefined)
  }),
)
