// Defines tests on each engine that share one service and its database: building one costs more than most tests.
import { after, before, describe, test } from 'node:test'
import { ENGINES, makeReadyPlace } from './storage/engines.ts'
import { openWorld, type World, type WorldOptions } from './world.ts'

export interface SharedWorldOptions extends WorldOptions {
  /** Runs once, before the first test. */
  prepare?: (world: World) => Promise<void>
}

/** The tests run in the order given. Each sees what earlier ones wrote, so each uses its own names and dates. */
export function testInSharedWorld(
  subject: string,
  { prepare, ...options }: SharedWorldOptions,
  tests: Record<string, (world: World) => Promise<void>>,
): void {
  for (const engine of ENGINES)
    describe(`${subject} (${engine})`, () => {
      const opened: World[] = []
      before(async () => {
        opened.push(await openWorld(engine, await makeReadyPlace(engine), options))
        await prepare?.(opened[0]!)
      })
      after(async () => {
        for (const { app, place } of opened) {
          await app.close()
          await place.remove()
        }
      })
      for (const [name, story] of Object.entries(tests)) test(`${name} (${engine})`, () => story(opened[0]!))
    })
}
