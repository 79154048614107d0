// Makes managed categories and an event that has one, for tests of categories.
import assert from 'node:assert/strict'
import type { Client } from '../../support/world.ts'

export const rehearsal = (category: string | null, more: object = {}) => ({
  title: 'Rehearsal',
  start: '2026-07-14T19:00',
  end: '2026-07-14T21:00',
  visibility: 'public',
  category,
  ...more,
})

export async function makeCategory(admin: Client, body: object) {
  const made = await admin.post('/admin/categories', body)
  assert.equal(made.status, 201, made.text)
  return made.body.data
}
