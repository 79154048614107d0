// F1, short: a service killed during writes loses nothing it had acknowledged. `npm run torture` is the long form.
import assert from 'node:assert/strict'
import { byRunLength } from '../../support/measure/run-length.ts'
import { crashUnderWrites } from '../../support/processes/crash.ts'
import { forEachEngine, makeReadyPlace } from '../../support/storage/engines.ts'

forEachEngine(
  'F1: kill -9 during eight writers loses nothing acknowledged and leaves no partial write',
  async (engine) => {
    const place = await makeReadyPlace(engine)
    try {
      const report = await crashUnderWrites(place, byRunLength(3, 20), 60)
      assert.ok(report.acknowledged >= report.rounds, 'something was written in every round')
      assert.deepEqual(report.lost, [])
      assert.deepEqual(report.torn, [])
    } finally {
      await place.remove()
    }
  },
)
