// `npm run torture`: F1 at length, two hundred kills on each engine unless a number is given. About half an hour.
import { crashUnderWrites } from '../support/processes/crash.ts'
import { ENGINES, makePlace } from '../support/storage/engines.ts'

const rounds = Number(process.argv[2] ?? 200)
let isSound = true
for (const engine of ENGINES) {
  const place = await makePlace(engine)
  const report = await crashUnderWrites(place, rounds, 300)
  await place.remove()
  isSound &&= report.lost.length === 0 && report.torn.length === 0
  process.stdout.write(
    `${engine}: ${report.rounds} kills, ${report.acknowledged} events acknowledged, ${report.lost.length} lost, ${report.torn.length} torn, slowest start ${Math.round(report.slowestReadyMs)} ms\n`,
  )
}
process.exit(isSound ? 0 : 1)
