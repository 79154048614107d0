// Dates, spans of time and titles of periods as each language writes them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '../../src/domain/languages.ts'
import { DAY_MS } from '../../src/domain/time/instant.ts'
import { formatTimes } from '../../src/words/format-times.ts'
import { wordsFor } from '../../src/words/words.ts'
import { setWords } from '../../web/strings.ts'
import * as english from '../../web/words/english/first.ts'
import { formatPeriod } from '../../web/words/formats.ts'
import * as french from '../../web/words/french/first.ts'
import * as polish from '../../web/words/polish/first.ts'
import * as spanish from '../../web/words/spanish/first.ts'

const EVENING = { start: '2026-07-01T19:30:00Z', end: '2026-07-01T21:00:00Z', all_day: false }
const NIGHT = { start: '2026-07-14T23:00:00Z', end: '2026-07-16T02:00:00Z', all_day: false }
const DAYS = {
  start: '2026-07-14T00:00:00Z',
  end: '2026-07-17T00:00:00Z',
  all_day: true,
  start_date: '2026-07-14',
  end_date: '2026-07-17',
}

const SPANS: [language: Language, evening: string, night: string, days: string][] = [
  [
    'en-GB',
    'Wednesday 1 July 2026, 19:30 to 21:00',
    'Tuesday 14 July 2026, 23:00 to Thursday 16 July 2026, 02:00',
    'Tuesday 14 July 2026 to Thursday 16 July 2026, all day',
  ],
  [
    'de',
    'Mittwoch, 1. Juli 2026, 19:30 bis 21:00',
    'Dienstag, 14. Juli 2026, 23:00 bis Donnerstag, 16. Juli 2026, 02:00',
    'Dienstag, 14. Juli 2026 bis Donnerstag, 16. Juli 2026, ganztägig',
  ],
  [
    'fr',
    'mercredi 1er juillet 2026, 19:30 à 21:00',
    'mardi 14 juillet 2026, 23:00 au jeudi 16 juillet 2026, 02:00',
    'mardi 14 juillet 2026 au jeudi 16 juillet 2026, toute la journée',
  ],
  [
    'es',
    'miércoles 1 de julio de 2026, 19:30 a 21:00',
    'martes 14 de julio de 2026, 23:00 al jueves 16 de julio de 2026, 02:00',
    'martes 14 de julio de 2026 al jueves 16 de julio de 2026, todo el día',
  ],
  [
    'cy',
    'Dydd Mercher 1 Gorffennaf 2026, 19:30 – 21:00',
    'Dydd Mawrth 14 Gorffennaf 2026, 23:00 – Dydd Iau 16 Gorffennaf 2026, 02:00',
    'Dydd Mawrth 14 Gorffennaf 2026 – Dydd Iau 16 Gorffennaf 2026, drwy’r dydd',
  ],
  [
    'pl',
    'środa, 1 lipca 2026, 19:30 – 21:00',
    'wtorek, 14 lipca 2026, 23:00 – czwartek, 16 lipca 2026, 02:00',
    'wtorek, 14 lipca 2026 – czwartek, 16 lipca 2026, cały dzień',
  ],
]

for (const [language, ...expected] of SPANS)
  test(`spans of time: ${language}`, () => {
    const { times } = wordsFor(language)
    assert.deepEqual(
      [EVENING, NIGHT, DAYS].map((item) => formatTimes(item, 'UTC', times)),
      expected,
    )
  })

test('the title of a period begins with a capital', () => {
  const day = Date.parse('2026-07-01T00:00:00Z') / DAY_MS
  const titles = [french, spanish, polish, english].map((first) => {
    setWords.first(first)
    return [formatPeriod('month', day, 0), formatPeriod('day', day, 0)]
  })
  assert.deepEqual(titles, [
    ['Juillet 2026', 'Mercredi 1er juillet 2026'],
    ['Julio de 2026', 'Miércoles 1 de julio de 2026'],
    ['Lipiec 2026', 'Środa, 1 lipca 2026'],
    ['July 2026', 'Wednesday 1 July 2026'],
  ])
})
