// A closed log pipe: the service continues without a reader of its log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getRaw } from '../support/http/socket.ts'
import { startService } from '../support/processes/process.ts'
import { makeReadyPlace } from '../support/storage/engines.ts'

test('a closed log pipe does not end the service', async () => {
  const place = await makeReadyPlace('sqlite')
  const settings = { ...place.settings, DAYBOOK_PUBLIC_URL: 'https://calendar.example.org' }
  const service = await startService(place.folder, settings)
  try {
    service.closeLog()
    const port = Number(new URL(service.url).port)
    // Each of these writes a log line.
    for (const header of ['authorization', 'cookie'])
      await getRaw(port, '/api-root/calendar/v1/events', { host: 'calendar.example.org', [header]: 'Basic eDp5' })
    assert.equal((await getRaw(port, '/healthz')).status, 200)
  } finally {
    assert.equal(await service.kill(), 0)
    await place.remove()
  }
})
