// Dates in Welsh, which Intl of Chrome does not have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayFromDate } from '../../src/domain/time/instant.ts'
import { dateFormat, formatLongDay, formatTimes } from '../../src/words/format-times.ts'
import { wordsFor } from '../../src/words/words.ts'
import { embedded } from '../../web/words/welsh/embedded.ts'

const { times } = wordsFor('cy')

const ENGLISH =
  /\b(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?\b|\b(Jan|Febr?|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|March|May)[a-z]*\b/

test('days and months have Welsh names in Welsh', () => {
  assert.equal(formatLongDay(dayFromDate(2026, 7, 14), times), 'Dydd Mawrth 14 Gorffennaf 2026')
  const item = { start: '2026-05-01T19:30:00Z', end: '2026-05-01T21:00:00Z', all_day: false }
  assert.equal(formatTimes(item, 'UTC', times), 'Dydd Gwener 1 Mai 2026, 19:30 – 21:00')
  const short = dateFormat(times, 'UTC', { dateStyle: 'medium' })
  const range = short.formatRange(Date.UTC(2026, 8, 29), Date.UTC(2026, 9, 2))
  assert.equal(range.replaceAll(/\s/g, ' '), '29 Medi – 2 Hyd 2026')
})

test('no name of a day or month is left in English', () => {
  for (let month = 0; month < 12; month++)
    for (const style of ['long', 'short'] as const)
      for (let day = 1; day < 8; day++) {
        const options = { timeZone: 'UTC', weekday: style, day: 'numeric', month: style, year: 'numeric' } as const
        const written = new Intl.DateTimeFormat(embedded.locale, options).format(Date.UTC(2026, month, day))
        for (const adapt of [times.day, embedded.day]) assert.doesNotMatch(adapt(written).replace('Sul', ''), ENGLISH)
      }
})
