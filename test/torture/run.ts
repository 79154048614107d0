// `npm run torture`: kills the service during writes, then simulates a million steps; `--seed` replays one episode.
import { parseArgs } from 'node:util'
import { createRunFolder } from '../runner/run-folder.ts'
import { simulateEpisodes } from '../simulator/episodes.ts'
import { crashUnderWrites } from '../support/processes/crash.ts'
import { ENGINES, type Engine, makePlace } from '../support/storage/engines.ts'

const { values, positionals } = parseArgs({
  options: {
    /** Of one episode; otherwise of the first. */
    seed: { type: 'string' },
    engine: { type: 'string' },
    steps: { type: 'string', default: '2000' },
    episodes: { type: 'string' },
  },
  allowPositionals: true,
})

// Crashes of simulated nodes and kills of processes leave the machine running, so memory is as good as the disk.
createRunFolder()

const engines: readonly Engine[] = values.engine === undefined ? ENGINES : [values.engine as Engine]
const isReplay = values.seed !== undefined && values.episodes === undefined
const kills = Number(positionals[0] ?? 200)
const episodes = isReplay ? engines.length : Number(values.episodes ?? 500)

let isSound = values.seed !== undefined || (await killDuringWrites())
isSound =
  (await simulateEpisodes({
    engines,
    firstSeed: Number(values.seed ?? 1),
    episodes,
    steps: Number(values.steps),
    write: (text) => void process.stdout.write(text),
  })) && isSound
process.exit(isSound ? 0 : 1)

async function killDuringWrites(): Promise<boolean> {
  let isWhole = true
  for (const engine of engines) {
    const place = await makePlace(engine)
    const report = await crashUnderWrites(place, kills, 300)
    await place.remove()
    isWhole &&= report.lost.length === 0 && report.torn.length === 0
    process.stdout.write(
      `${engine}: ${report.rounds} kills, ${report.acknowledged} events acknowledged, ${report.lost.length} lost, ${report.torn.length} torn, slowest start ${Math.round(report.slowestReadyMs)} ms\n`,
    )
  }
  return isWhole
}
