// Limits of a whole event: a JSON change makes no event that an import would refuse.
import assert from 'node:assert/strict'
import test from 'node:test'
import { MAIN } from '../../caldav/support/events.ts'
import { event, file } from '../../ical/files.ts'
import type { ApiResponse, Json } from '../../support/http/api-response.ts'
import { davOf } from '../../support/http/dav.ts'
import { type World, withWorld } from '../../support/world.ts'

/** Each of these characters is a word. */
const manySigns = (count: number): string => String.fromCharCode(...Array.from({ length: count }, (_, i) => 0x4e00 + i))

const stampOf = (day: number): string => `202607${String(day).padStart(2, '0')}T100000Z`

/** The first day is that of the series, so the edited ones begin with the second. */
const daily = (edits: number, descriptionOf: string | undefined): string =>
  file(
    event('a', `DTSTART:${stampOf(1)}`, 'RRULE:FREQ=DAILY', 'SUMMARY:Series', 'CLASS:PRIVATE'),
    ...Array.from({ length: edits }, (_, i) =>
      event(
        'a',
        `RECURRENCE-ID:${stampOf(i + 2)}`,
        `DTSTART:${stampOf(i + 2)}`,
        `SUMMARY:Edit ${i}`,
        ...(descriptionOf ? [`DESCRIPTION:${descriptionOf}`] : []),
      ),
    ),
  )

async function putDaily({ writer }: World, text: string): Promise<Json> {
  assert.equal((await davOf(writer).put(`${MAIN}a.ics`, text, { 'if-match': '*' })).status, 204)
  return (await writer.get('/events')).body.data[0]
}

const codeOf = ({ status, body }: ApiResponse): string => `${status} ${body?.error?.code ?? 'done'}`

const REFUSED = '409 event_too_large'

test('an event and its edited occurrences have as many words as a file may bring, and no more', () =>
  withWorld('sqlite', async (world) => {
    const { writer, admin, app } = world
    assert.equal((await davOf(writer).put(`${MAIN}a.ics`, daily(0, undefined))).status, 201)
    const at = (id: string, day: number): string => `/events/${id}/occurrences/${stampOf(day)}`

    const { id, version } = await putDaily(world, daily(10, manySigns(4_950)))
    const fields = { title: 'Series', start: '2026-07-01T10:00Z', end: '2026-07-01T11:00Z', rrule: 'FREQ=DAILY' }
    const description = manySigns(4_950)
    assert.equal(codeOf(await writer.patch(at(id, 20), { description, version })), REFUSED)
    assert.equal(codeOf(await writer.patch(`/events/${id}`, { description, version })), REFUSED)
    assert.equal(codeOf(await writer.put(`/events/${id}`, { ...fields, description, version })), REFUSED)
    assert.equal(codeOf(await writer.patch(at(id, 20), { description: 'short', version })), '200 done')
    const exported = (await admin.get('/admin/export.ics')).text
    const again = await admin.post('/admin/import?dry_run=true', exported, { 'content-type': 'text/calendar' })
    assert.deepEqual([again.body.data.unchanged, again.body.data.skipped], [1, 0])

    // Edited occurrences without a description of their own inherit that of the series.
    const followed = await putDaily(world, daily(20, undefined))
    const growth = { description: manySigns(4_950), version: followed.version }
    assert.equal(codeOf(await writer.patch(`/events/${id}`, growth)), REFUSED)

    // As an earlier version stored it.
    const large = daily(11, manySigns(4_950))
    await app.ctx.storage.writes.updateTable('events').set({ ical: large }).execute()
    let next = followed.version
    assert.equal(codeOf(await writer.patch(at(id, 20), { description, version: next })), REFUSED)
    assert.equal(
      codeOf(await writer.patch(`/events/${id}`, { transparency: 'transparent', version: next++ })),
      '200 done',
    )
    assert.equal(codeOf(await writer.patch(`/events/${id}`, { title: 'Name', version: next++ })), '200 done')
    assert.equal(codeOf(await writer.delete(at(id, 25))), '204 done')
    next++
    assert.equal(codeOf(await writer.patch(at(id, 5), { description: 'short', version: next++ })), '200 done')
    assert.equal(codeOf(await writer.delete(`/events/${id}`)), '204 done')
  }))

test('text that normalisation makes longer than its limit is refused', () =>
  withWorld('sqlite', async ({ writer, admin }) => {
    const fields = { title: 'A', start: '2026-07-01T10:00Z', end: '2026-07-01T11:00Z' }
    const { status, body } = await writer.post('/events', { ...fields, description: '\ufb2c'.repeat(4_000) })
    assert.deepEqual(
      [status, body.error.details.fields],
      [422, [{ field: '/description', code: 'too_long', message: body.error.details.fields[0].message }]],
    )
    await writer.creates({ ...fields, description: '\ufb2c'.repeat(3_000) })
    const exported = (await admin.get('/admin/export.ics')).text
    const again = await admin.post('/admin/import?dry_run=true', exported, { 'content-type': 'text/calendar' })
    assert.equal(again.body.data.unchanged, 1)
  }))
