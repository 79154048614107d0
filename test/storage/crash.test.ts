// F1, the short version: killed under writes, the service loses nothing it had acknowledged. `npm run torture` is the long one.
import assert from 'node:assert/strict'
import { crashUnderWrites } from '../support/crash.ts'
import { forEachEngine, makePlace } from '../support/engines.ts'

forEachEngine('F1: kill -9 under eight writers loses nothing acknowledged and tears nothing', async (engine) => {
  const place = await makePlace(engine)
  try {
    const report = await crashUnderWrites(place, 4, 500)
    assert.ok(report.acknowledged > 0, 'something was written')
    assert.deepEqual(report.lost, [])
    assert.deepEqual(report.torn, [])
  } finally {
    await place.remove()
  }
})
