// Imports many public events of one category, for tests of renames.
import assert from 'node:assert/strict'
import type { World } from '../../support/world.ts'

export async function importEvents({ admin, app }: World, category: string, many: number): Promise<void> {
  const events = Array.from({ length: many }, (_, i) => [
    'BEGIN:VEVENT',
    `UID:event-${i}@example.org`,
    `DTSTART:202607${10 + (i % 20)}T090000Z`,
    `SUMMARY:Event ${i}`,
    `CATEGORIES:${category}`,
    'CLASS:PUBLIC',
    'END:VEVENT',
  ])
  const imported = await admin.send({
    method: 'POST',
    url: `${app.site.base}/admin/import`,
    headers: { 'content-type': 'text/calendar' },
    payload: ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n'),
  })
  assert.equal(imported.body.data?.created, many, imported.text)
}
