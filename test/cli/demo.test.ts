// The demo data: its amount, what the public sees of it, and the same day gives the same data.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { listCategories } from '../../src/actions/categories/public-categories.ts'
import { SERVICE_CALLER } from '../../src/actions/costly-work/semaphore.ts'
import { listEvents } from '../../src/actions/events/list-events.ts'
import { readListQuery } from '../../src/api/events/list-query.ts'
import { openContext } from '../../src/boot.ts'
import { type FillReport, fillWithDemo } from '../../src/cli/demo/fill.ts'
import { planDemo } from '../../src/cli/demo/plan.ts'
import { loadConfig } from '../../src/config.ts'
import type { Context } from '../../src/context.ts'
import { ANONYMOUS } from '../../src/domain/privacy/viewer.ts'
import { dayFromDate } from '../../src/domain/time/instant.ts'
import { MAIN } from '../support/processes/process.ts'

const NOON = Date.UTC(2026, 6, 14, 12)

test('the demo of one day', async (t) => {
  await withCalendar(NOON, async (ctx) => {
    const report = await fillWithDemo(ctx)
    await t.test('it creates about 300 events, a sixth of them series, without an author', () => checkRows(ctx, report))
    await t.test('an anonymous list of the month shows a private event’s time and nothing else', () =>
      checkMonth(ctx, report),
    )
    await t.test('most public events have a category with a colour, and some have one that is free text', async () => {
      const categories = await listCategories(ctx, SERVICE_CALLER)
      const free = categories.filter(({ managed }) => !managed).map(({ name }) => name)
      assert.deepEqual(free, ['Closures', 'Seasonal'])
      assert.equal(categories.length, 13)
    })
    await t.test('the same day gives the same titles and times, another day others', async () => {
      const first = await listDemo(ctx)
      assert.deepEqual(await withCalendar(NOON, fillAndList), first)
      assert.notDeepEqual(await withCalendar(NOON + 40 * 86_400_000, fillAndList), first)
    })
  })
})

async function checkRows(ctx: Context, report: FillReport): Promise<void> {
  const rows = await listRows(ctx)
  assert.equal(rows.length, report.events)
  assert.ok(rows.length >= 280 && rows.length <= 330, `${rows.length} events`)
  const share = rows.filter(({ is_recurring }) => is_recurring === 1).length / rows.length
  assert.ok(share >= 0.15 && share <= 0.2, `${share} recurring`)
  assert.ok(rows.every(({ created_by, updated_by }) => created_by === null && updated_by === null))
  assert.deepEqual(new Set(rows.map(({ status }) => status)), new Set(['confirmed', 'tentative', 'cancelled']))
  const kinds = await ctx.storage.reads.selectFrom('exceptions').select('kind').distinct().execute()
  assert.deepEqual(kinds.map(({ kind }) => kind).sort(), ['excluded', 'overridden'])
}

async function checkMonth(ctx: Context, { hidden }: FillReport): Promise<void> {
  assert.ok(hidden > 40)
  const month = readListQuery({ view: 'month' }, ctx.config, NOON, 'public')
  const { items } = await listEvents(ctx, ANONYMOUS, month, SERVICE_CALLER)
  const masked = items.flatMap(({ event }) => (event.level === 'masked' ? [event] : []))
  assert.ok(masked.length > 0 && masked.length < items.length)
  assert.deepEqual(new Set(masked.map(({ title }) => title)), new Set(['Private Event']))
  const rows = await listRows(ctx)
  const secret = rows.filter(({ visibility }) => visibility === 'private').map(({ title }) => title)
  const shown = JSON.stringify(items)
  for (const title of secret) assert.ok(!shown.includes(title), title)
}

test('the demo has about 300 events at every time of year', () => {
  for (let day = dayFromDate(2027, 1, 1); day < dayFromDate(2029, 1, 1); day += 13) {
    const { length } = planDemo(day)
    assert.ok(length >= 280 && length <= 330, `${length} events`)
  }
})

test('a second run is refused in one line unless it is forced', () => {
  const folder = makeFolder()
  try {
    const [first, second, forced] = [run(folder), run(folder), run(folder, '--force')]
    assert.equal(first.status, 0, first.stderr)
    assert.match(first.stdout, /This month as the public sees it: http:\/\/localhost:8080\/\n/)
    assert.equal(second.status, 1)
    assert.match(second.stderr, /^daybook demo: the calendar already holds \d+ events.*--force.*\n$/)
    assert.equal(forced.status, 0, forced.stderr)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

async function withCalendar<T>(now: number, work: (ctx: Context) => Promise<T>): Promise<T> {
  const folder = makeFolder()
  const ctx = await openContext(loadConfig({ DAYBOOK_DATA_DIR: folder }, folder), { clock: () => now })
  try {
    return await work(ctx)
  } finally {
    await ctx.storage.close()
    rmSync(folder, { recursive: true })
  }
}

const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'daybook-demo-'))

const listRows = (ctx: Context) => ctx.storage.reads.selectFrom('events').selectAll().orderBy('key').execute()

async function fillAndList(ctx: Context): Promise<string[]> {
  await fillWithDemo(ctx)
  return listDemo(ctx)
}

async function listDemo(ctx: Context): Promise<string[]> {
  const rows = await listRows(ctx)
  const exceptions = await ctx.storage.reads.selectFrom('exceptions').selectAll().execute()
  return [
    ...rows.map(({ title, start_at, duration_ms, rrule }) => `${title} ${start_at} ${duration_ms} ${rrule}`),
    ...exceptions.map(({ local_at, title, start_at }) => `${local_at} ${title} ${start_at}`),
  ].sort()
}

const run = (folder: string, ...options: string[]) =>
  spawnSync(process.execPath, [MAIN, 'demo', ...options], {
    cwd: folder,
    env: { ...process.env, DAYBOOK_DATA_DIR: folder },
    encoding: 'utf8',
  })
