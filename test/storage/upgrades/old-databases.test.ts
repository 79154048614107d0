// Databases as the first five schemas stored them, opened by this version: everything shows, and nothing is published.
import { forEachEngine } from '../../support/storage/engines.ts'
import { openWorld } from '../../support/world.ts'
import { checkCalendar } from './fixtures.ts'
import { makeOldPlace } from './old-calendar.ts'

for (const schema of [1, 2, 3, 4, 5])
  forEachEngine(
    `a calendar of schema ${schema} shows the same after an upgrade, and publishes nothing`,
    async (engine) => {
      const place = await makeOldPlace(engine, schema)
      const world = await openWorld(engine, place, { place })
      try {
        await checkCalendar(world, `schema-00${schema}`)
      } finally {
        await world.app.close()
        await place.remove()
      }
    },
  )
