// Moving events as the grid of the calendar asks for it, in a browser, without the grid.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { assertAccessible, photograph, withStage } from '../support/browser.ts'

const WEB = join(import.meta.dirname, '..', '..', 'web')

/** What the calendar calls, and the two places where it shows something. */
const ENTRY = `
import { Fragment, h, render } from 'preact'
import { createAt, moveEvent } from '${WEB}/pages/editor/grid-editing.ts'
import { MoveQuestion } from '${WEB}/pages/editor/move-question.tsx'
import { Toasts } from '${WEB}/ui/toasts.tsx'
const place = document.querySelector('main').appendChild(document.createElement('div'))
render(h(Fragment, null, h(Toasts), h(MoveQuestion)), place)
Object.assign(window, { createAt, moveEvent, loads: 0 })
`

async function bundle(): Promise<Map<string, string>> {
  const built = await build({
    configFile: false,
    root: WEB,
    base: './',
    logLevel: 'error',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'grid-entry' ? id : undefined),
        load: (id) => (id === 'grid-entry' ? ENTRY : undefined),
      },
    ],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: { write: false, modulePreload: false, rolldownOptions: { input: { grid: 'grid-entry' } } },
  })
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  return new Map(outputs.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one.code] as const] : [])))
}

interface Grid {
  createAt(span: object): void
  moveEvent(item: object, to: object, again: () => void): Promise<boolean>
  loads: number
  outcome: Promise<boolean>
}

const move = (page: Page, item: object, to: object): Promise<void> =>
  page.evaluate(
    ([one, span]) => {
      const grid = window as unknown as Grid
      grid.outcome = grid.moveEvent(one!, span!, () => grid.loads++)
    },
    [item, to],
  )

const outcome = (page: Page): Promise<boolean> => page.evaluate(() => (window as unknown as Grid).outcome)

const timed = (start: string, end: string) => ({ start, end, isAllDay: false })

test('events are moved with a way back; of a series one date or all; others’ changes are not run over', async () => {
  const files = await bundle()
  await withStage(async ({ world, address, signedIn }) => {
    const page = await signedIn('writer@example.org', { expected: /412/ })
    await page.route('**/grid-test/**', (route) => {
      const body = files.get(new URL(route.request().url()).pathname.replace('/grid-test/', ''))!
      return route.fulfill({ contentType: 'text/javascript', body })
    })
    await page.goto(`${address}/account`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const entry = [...files.keys()].find((name) => name.includes('grid-') && !name.includes('move'))!
    await page.addScriptTag({ url: `${address}/grid-test/${entry}`, type: 'module' })
    await page.waitForFunction(() => 'moveEvent' in window)
    const read = async (path: string) => (await world.writer.get(path)).body.data
    const undo = () => page.getByRole('button', { name: 'Undo', exact: true }).last().click()

    const talk = await world.writer.creates({ title: 'Talk', start: '2026-07-14T10:00', end: '2026-07-14T11:00' })
    await move(page, talk, timed('2026-07-15T12:00:00+02:00', '2026-07-15T13:30:00+02:00'))
    assert.equal(await outcome(page), true)
    assert.equal((await read(`/events/${talk.id}`)).start, '2026-07-15T11:00:00+01:00')
    await undo()
    await page.getByText('Moved back.').waitFor()
    assert.equal((await read(`/events/${talk.id}`)).end, talk.end)
    // The grid still shows it as it was: somebody was faster.
    await move(page, talk, { start: '2026-07-16', end: '2026-07-17', isAllDay: true })
    assert.equal(await outcome(page), false)
    await page.getByText('Somebody else changed this event meanwhile.').waitFor()
    await move(page, await read(`/events/${talk.id}`), { start: '2026-07-16', end: '2026-07-17', isAllDay: true })
    assert.equal(await outcome(page), true)
    assert.equal((await read(`/events/${talk.id}`)).start_date, '2026-07-16')
    await page.getByRole('button', { name: 'Undo', exact: true }).last().waitFor()

    const times = { start: '2026-07-14T19:30', end: '2026-07-14T21:00' }
    const choir = await world.writer.creates({ title: 'Choir', ...times, rrule: 'FREQ=WEEKLY;BYDAY=TU' })
    const date = `/events/${choir.id}/occurrences/20260721T193000`
    const moved = timed('2026-07-22T19:30:00+01:00', '2026-07-22T21:00:00+01:00')
    await move(page, await read(date), moved)
    await page.getByRole('dialog', { name: 'Move this event' }).waitFor()
    await assertAccessible(page)
    await photograph(page, 'editor-move')
    await page.keyboard.press('Escape')
    assert.equal(await outcome(page), false)
    await move(page, await read(date), moved)
    await page.getByRole('button', { name: 'This date only' }).click()
    assert.equal(await outcome(page), true)
    assert.equal((await read(date)).start, moved.start)
    await undo()
    await page.getByText('Moved back.').nth(1).waitFor()
    assert.deepEqual((await read(`/events/${choir.id}`)).exceptions, [])

    await move(page, await read(date), moved)
    await page.getByRole('button', { name: 'All dates' }).click()
    assert.equal(await outcome(page), true)
    const series = await read(`/events/${choir.id}`)
    assert.deepEqual([series.start, series.rrule], ['2026-07-15T19:30:00+01:00', 'FREQ=WEEKLY;BYDAY=WE'])
    assert.ok(
      (await page.evaluate(() => (window as unknown as Grid).loads)) >= 6,
      'the calendar is loaded anew each time',
    )

    await page.evaluate(() => {
      const span = { start: '2026-07-20', end: '2026-07-22', isAllDay: true }
      return (window as unknown as Grid).createAt(span)
    })
    await page.waitForURL('**/event/new?start=2026-07-20&end=2026-07-22&all_day=1')
  })
})
