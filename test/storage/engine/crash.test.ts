// F1, the short version: killed under writes, the service loses nothing it had acknowledged. `npm run torture` is the long one.
import assert from 'node:assert/strict'
import { byRunLength } from '../../support/measure/run-length.ts'
import { crashUnderWrites } from '../../support/processes/crash.ts'
import { forEachEngine, makeReadyPlace } from '../../support/storage/engines.ts'

forEachEngine('F1: kill -9 under eight writers loses nothing acknowledged and tears nothing', async (engine) => {
  const place = await makeReadyPlace(engine)
  try {
    const report = await crashUnderWrites(place, byRunLength(3, 20), 60)
    assert.ok(report.acknowledged >= report.rounds, 'something was written in every round')
    assert.deepEqual(report.lost, [])
    assert.deepEqual(report.torn, [])
  } finally {
    await place.remove()
  }
})
