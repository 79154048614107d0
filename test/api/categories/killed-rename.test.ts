// A service that is killed in the middle of a rename continues it when it starts again.
import assert from 'node:assert/strict'
import { waitFor } from '../../support/measure/wait-for.ts'
import { type Service, startService } from '../../support/processes/process.ts'
import { forEachEngine, makeReadyPlace } from '../../support/storage/engines.ts'
import { basicOf, openWorld } from '../../support/world.ts'
import { importEvents } from './import-events.ts'

const MANY = 1_500

type CategoryAnswer = { data?: unknown; meta?: Record<string, unknown> }

const ask = async ({ base }: Service, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${base}${path}`, {
    ...init,
    headers: { authorization: basicOf('admin@example.org'), 'content-type': 'application/json', ...init.headers },
  })

const read = async <Data>(service: Service, path: string): Promise<Data> => {
  const response = await ask(service, path)
  assert.equal(response.status, 200, path)
  return ((await response.json()) as CategoryAnswer).data as Data
}

const countsOf = async (service: Service): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await read<{ name: string; count: number }[]>(service, '/public/categories')).map(({ name, count }) => [
      name,
      count,
    ]),
  )

forEachEngine(
  'a killed rename says so after the restart, is continued, and changes each event once',
  async (engine) => {
    const place = await makeReadyPlace(engine)
    const settings = {
      ...place.settings,
      DAYBOOK_RATE_LIMITS: 'off',
      DAYBOOK_LOG_LEVEL: 'silent',
      DAYBOOK_ALLOW_LOOPBACK_HTTP: 'on',
    }
    const services: Service[] = []
    const start = async (): Promise<Service> => {
      const service = await startService(place.folder, settings)
      services.push(service)
      return service
    }
    try {
      const world = await openWorld(engine, place, { now: new Date().toISOString() })
      await importEvents(world, 'Music', MANY)
      const made = await world.admin.post('/admin/categories', { name: 'Music' })
      const id: string = made.body.data.id
      await world.app.close()

      const first = await start()
      const since = ((await (await ask(first, '/events?view=month&per_page=1')).json()) as CategoryAnswer).meta!
        .sync_token as string
      const renaming = ask(first, `/admin/categories/${id}`, {
        method: 'PATCH',
        body: JSON.stringify({ name: 'Tunes', version: 1 }),
      }).then(
        () => 'answered',
        () => 'cut off',
      )
      await waitFor('some events have the new name', async () => ((await countsOf(first)).Tunes ?? 0) > 0, {
        everyMs: 1,
      })
      await first.kill('SIGKILL')
      assert.equal(await renaming, 'cut off')

      const second = await start()
      const half = await countsOf(second)
      assert.ok(half.Music! > 0 && half.Tunes! > 0, `half of them: ${JSON.stringify(half)}`)
      const [category] = await read<{ name: string; renaming: boolean }[]>(second, '/categories')
      assert.deepEqual([category!.name, category!.renaming], ['Tunes', true])
      const kept = await ask(second, '/public/events?view=year')
      const tag = kept.headers.get('etag')!
      await kept.text()
      await waitFor(
        'it is continued',
        async () => !(await read<{ renaming: boolean }[]>(second, '/categories'))[0]!.renaming,
        {
          everyMs: 100,
        },
      )
      assert.deepEqual(await countsOf(second), { Tunes: MANY })
      assert.equal((await ask(second, '/public/events?view=year', { headers: { 'if-none-match': tag } })).status, 200)
      const versions = new Map<string, number>()
      for (let token = since; ; ) {
        const page = (await (await ask(second, `/events/changes?since=${encodeURIComponent(token)}`)).json()) as {
          data: { id: string; event: { category: string; version: number } }[]
          meta: { sync_token: string; has_more: boolean }
        }
        for (const { id: changed, event } of page.data) {
          assert.equal(event.category, 'Tunes')
          versions.set(changed, event.version)
        }
        if (!page.meta.has_more) break
        token = page.meta.sync_token
      }
      assert.equal(versions.size, MANY)
      assert.deepEqual(new Set(versions.values()), new Set([2]))
    } finally {
      for (const service of services) await service.kill('SIGKILL')
      await place.remove()
    }
  },
)
