// Writes that waited for the one connection of SQLite: statements are synchronous, so they must not run in one turn.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { logConnections } from '../../support/storage/hold-storage.ts'
import { withWorld } from '../../support/world.ts'

const SERIES = { title: 'One', start: '2026-07-14T09:00', end: '2026-07-14T10:00', rrule: 'FREQ=DAILY;COUNT=200' }
const COUNT = 60

test('writes that waited while another held the connection run in short turns', () =>
  withWorld('sqlite', async ({ app, writer }) => {
    const { writes } = app.ctx.storage
    const log = logConnections(writes)
    let release = Promise.withResolvers<void>()
    let holding: Promise<unknown> = Promise.resolve()
    let answers: Promise<ApiResponse>[] = []
    const gather = async (): Promise<void> => {
      release = Promise.withResolvers()
      const isHeld = Promise.withResolvers<void>()
      const { promise } = release
      holding = writes.transaction().execute(async () => {
        isHeld.resolve()
        await promise
      })
      await isHeld.promise
      log.asked.length = 0
      answers = Array.from({ length: COUNT }, () => writer.post('/events', SERIES))
      await waitFor('all wait', () => log.asked.length >= COUNT)
    }
    const write = async (): Promise<ApiResponse[]> => {
      release.resolve()
      await holding
      return Promise.all(answers)
    }
    const { result } = await assertShortTurns('writes', { ms: 60 }, write, gather)
    assert.deepEqual([...new Set(result.map(({ status }) => status))], [201])
  }))
