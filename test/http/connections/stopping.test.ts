// F33: shutdown does not wait for connections that never complete a request or never read their response.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { newId } from '../../../src/secrets.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { insertMail } from '../../../src/storage/operations/outbox.ts'
import { countConnections, listen } from '../../support/http/socket.ts'
import { waitFor, withDeadline } from '../../support/measure/wait-for.ts'
import { startService } from '../../support/processes/process.ts'
import { forEachEngine, makePlace, makeReadyPlace } from '../../support/storage/engines.ts'
import { copySeries } from '../../support/storage/many-events.ts'
import { openWorld, type World } from '../../support/world.ts'

const BASE = '/api-root/calendar/v1'
const LOGIN = `POST ${BASE}/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`
const HALF_BODY = `${LOGIN}content-length: 16000\r\nexpect: 100-continue\r\n\r\n{"a":"`
const HALF_HEAD = `${LOGIN}x-a: `

/** Continues to send what no limit for slow bodies ends, until the connection is closed. */
function sendSlowly(port: number, text: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.resume()
  socket.write(text)
  const timer = setInterval(() => socket.write('x'.repeat(150)), 200).unref()
  socket.once('close', () => clearInterval(timer))
  return socket
}

test('SIGTERM ends the service with 0 while a body arrives slowly', async () => {
  const place = await makePlace('sqlite')
  const service = await startService(place.folder, place.settings)
  const socket = sendSlowly(Number(new URL(service.url).port), HALF_BODY)
  try {
    await once(socket, 'data')
    assert.equal(await service.kill('SIGTERM'), 0)
  } finally {
    socket.destroy()
    await place.remove()
  }
})

const HOURS_MS = 3_600_000

/** A feed longer than the buffers at both ends of a connection. */
async function fillLongFeed(world: World): Promise<void> {
  const times = { start: '2026-07-14T09:00', end: '2026-07-14T10:00' }
  const { id } = await world.writer.creates({ ...times, title: 'One', visibility: 'public' })
  await copySeries(world, id, 24, 100)
  const text = `BEGIN:VEVENT\r\n${`DESCRIPTION:${'x'.repeat(60)}\r\n`.repeat(12_000)}END:VEVENT\r\n`
  await world.app.ctx.storage.writes.updateTable('events').set({ public_ical: text }).execute()
}

test('incomplete requests and unread responses end during shutdown', async () => {
  const place = await makeReadyPlace('sqlite')
  // Only the limits of the shutdown can end these.
  const endless = { stallMs: HOURS_MS, bodyStallMs: HOURS_MS, headersMs: 30_000 }
  const world = await openWorld('sqlite', place, {
    patience: { ...endless, checkEveryMs: 20, lingerMs: 20, drainMs: 100, longestDrainMs: 400 },
  })
  await fillLongFeed(world)
  const port = await listen(world.app)
  const sockets = [sendSlowly(port, HALF_BODY), sendSlowly(port, HALF_HEAD)]
  const deaf = connect(port, '127.0.0.1')
  deaf.on('error', () => {})
  deaf.write(`GET ${BASE}/public/calendar.ics HTTP/1.1\r\nhost: localhost\r\n\r\n`)
  await once(deaf, 'data')
  deaf.pause()
  try {
    await waitFor('all connections', async () => (await countConnections(world.app)) === 3)
    await withDeadline('the service closes', world.app.close())
  } finally {
    for (const socket of [...sockets, deaf]) socket.destroy()
    await place.remove()
  }
})

forEachEngine('leases on mail do not wait for connections at shutdown', async (engine) => {
  const place = await makeReadyPlace(engine)
  const { app } = await openWorld(engine, place, {
    patience: { drainMs: HOURS_MS, longestDrainMs: HOURS_MS, bodyStallMs: HOURS_MS },
  })
  const socket = sendSlowly(await listen(app), HALF_BODY)
  await once(socket, 'data')
  const { reads } = app.ctx.storage
  const listClaimed = () => reads.selectFrom('outbox').selectAll().where('claimed_by', 'is not', null).execute()
  const { id } = await reads.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const claim = { claimed_by: app.ctx.nodeId, claimed_until: app.ctx.clock() + 60_000, attempts: 1 }
  await inTransaction(app.ctx.storage, async (db) => {
    await insertMail(db, { id: newId(), kind: 'password_changed', to: { userId: id } }, app.ctx.clock())
    await db.updateTable('outbox').set(claim).execute()
  })
  assert.equal((await listClaimed()).length, 1)
  const closing = app.close()
  try {
    await waitFor('the mail is free for others', async () => (await listClaimed()).length === 0)
    assert.equal(await countConnections(app), 1, 'the connection is still there')
  } finally {
    socket.destroy()
    await closing
    await place.remove()
  }
})
