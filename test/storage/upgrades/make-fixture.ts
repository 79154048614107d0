// Writes a fixture for upgrade tests: a calendar as one version stores it, and the answers which that version gave.
//
//   node test/storage/upgrades/make-fixture.ts [CHECKOUT NAME]
//
// Without arguments it writes the backup of this version, fixtures/<version>.backup.br; with them the database of an
// older commit, fixtures/<NAME>.db.br. The checkout has its packages installed. Those here are from the last commits with
// one to five migrations: 6cf3914b, 5a52b3f3, 232a0144, 61e6f11b, f8aca5cc.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { brotliCompressSync, constants } from 'node:zlib'
import type { World } from '../../support/world.ts'
import { AWKWARD_EVENTS, type AwkwardEvent, SENT_OBJECTS } from './awkward-events.ts'
import { readAnswers } from './read-answers.ts'

const FIXTURES = join(import.meta.dirname, 'fixtures')
const OWN = join(import.meta.dirname, '..', '..', '..')
const [checkout, name] = process.argv.slice(2)
const root = checkout ? resolve(checkout) : OWN

/** Modules of the checkout, which may be an older commit than this file. */
const load = <T>(path: string): Promise<T> => import(join(root, path))
const { withWorld } = await load<typeof import('../../support/world.ts')>('test/support/world.ts')
const { fillWithDemo } = await load<typeof import('../../../src/cli/demo/fill.ts')>('src/cli/demo/fill.ts')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

await withWorld('sqlite', async (world) => {
  await fillWithDemo(world.app.ctx)
  await thinOut(world)
  for (const event of AWKWARD_EVENTS) await create(world, event)
  const dav = await world.writer.send({ method: 'OPTIONS', url: '/caldav/calendars/main/' }).catch(() => undefined)
  const objects = dav?.headers.dav ? SENT_OBJECTS : {}
  for (const [file, text] of Object.entries(objects)) await put(world, file, text)
  const answers = await readAnswers(world, Object.keys(objects))
  const target = name ?? version
  writeCompressed(`${target}.json`, Buffer.from(JSON.stringify(answers)))
  const database = join(world.place.settings.DAYBOOK_DATA_DIR!, 'daybook.db')
  if (name) writeCompressed(`${target}.db`, readFileSync(vacuum(database, join(world.place.folder, 'copy.db'))))
  else writeCompressed(`${target}.backup`, readFileSync(await backUp(world, database)))
})

/** Every fifth event of the demo is enough, and the file is small. */
async function thinOut({ writer }: World): Promise<void> {
  const ids: string[] = []
  for (let page = 1; page < 9; page++) {
    const { body } = await writer.get(`/events?expand=false&per_page=200&page=${page}`)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
  }
  for (const [i, id] of ids.entries()) if (i % 5 > 0) requireStatus(204, await writer.delete(`/events/${id}`))
}

async function create({ writer }: World, { fields, edits = {}, removed = [], isDeleted }: AwkwardEvent): Promise<void> {
  const { id } = await writer.creates(fields)
  for (const key of removed) requireStatus(204, await writer.delete(`/events/${id}/occurrences/${key}`))
  for (const [key, edit] of Object.entries(edits)) {
    const { version: current } = (await writer.get(`/events/${id}`)).body.data
    requireStatus(200, await writer.patch(`/events/${id}/occurrences/${key}`, { ...edit, version: current }))
  }
  if (isDeleted) requireStatus(204, await writer.delete(`/events/${id}`))
}

async function put({ writer }: World, file: string, text: string): Promise<void> {
  const headers = { 'content-type': 'text/calendar', 'if-none-match': '*' }
  const url = `/caldav/calendars/main/${encodeURIComponent(file)}`
  requireStatus(201, await writer.send({ method: 'PUT', url, headers, payload: text }))
}

function requireStatus(expected: number, { status, text }: { status: number; text: string }): void {
  if (status !== expected) throw new Error(`${status} in place of ${expected}: ${text}`)
}

function vacuum(database: string, copy: string): string {
  const db = new DatabaseSync(database, { readOnly: true })
  db.prepare('vacuum into ?').run(copy)
  db.close()
  return copy
}

async function backUp({ app, place }: World, database: string): Promise<string> {
  const { writeBackup } = await import('../../../src/storage/backup/write-backup.ts')
  const path = join(place.folder, 'fixture.backup')
  await writeBackup(app.ctx.storage, database, path, { madeAt: app.ctx.clock(), program: version })
  return path
}

function writeCompressed(file: string, bytes: Buffer): void {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
  const compressed = brotliCompressSync(bytes, { params })
  writeFileSync(join(FIXTURES, `${file}.br`), compressed)
  process.stdout.write(`${file}: ${bytes.length} bytes, ${compressed.length} compressed\n`)
}
