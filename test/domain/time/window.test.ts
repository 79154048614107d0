// Windows: from, to, view and the zone become one range of instants.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../../../src/domain/time/instant.ts'
import { formatInstant, formatUtc, parseTimeText } from '../../../src/domain/time/text.ts'
import { resolveWindow, type View } from '../../../src/domain/time/window.ts'
import { requireZone } from '../../../src/domain/time/zone.ts'

interface WindowQuery {
  from?: string
  to?: string
  view?: View
  timezone?: string
  weekStart?: number
  now?: string
}

function resolve({
  from,
  to,
  view,
  timezone = 'Europe/London',
  weekStart = 0,
  now = '2026-07-15T12:00:00Z',
}: WindowQuery) {
  const read = (text: string | undefined) => text && (parseTimeText(text) ?? assert.fail(`not a time: ${text}`))
  return resolveWindow({
    from: read(from) || undefined,
    to: read(to) || undefined,
    view,
    zone: requireZone(timezone),
    weekStart,
    now: Date.parse(now),
  })
}

function rangeOf(asked: WindowQuery) {
  const range = resolve(asked)
  assert.ok(range && 'from' in range, `${JSON.stringify(asked)}: ${JSON.stringify(range)}`)
  return range
}

/** `from → to` in the requested zone. */
function local(asked: WindowQuery): string {
  const range = rangeOf(asked)
  const zone = requireZone(asked.timezone ?? 'Europe/London')
  return `${formatInstant(range.from, zone)} → ${formatInstant(range.to, zone)}`
}

const utc = (asked: WindowQuery): string => {
  const range = rangeOf(asked)
  return `${formatUtc(range.from)} → ${formatUtc(range.to)}`
}

const hours = (asked: WindowQuery): number => {
  const range = rangeOf(asked)
  return (range.to - range.from) / HOUR_MS
}

const refusal = (asked: WindowQuery): string => {
  const problem = resolve(asked)
  assert.ok(problem && 'code' in problem, `${JSON.stringify(asked)} was not refused`)
  return `${problem.field}: ${problem.code}`
}

test('a day view is as long as that day in London: 23, 24 or 25 hours', () => {
  assert.equal(local({ view: 'day', from: '2026-03-29' }), '2026-03-29T00:00:00+00:00 → 2026-03-30T00:00:00+01:00')
  assert.equal(hours({ view: 'day', from: '2026-03-29' }), 23)
  assert.equal(local({ view: 'day', from: '2026-10-25' }), '2026-10-25T00:00:00+01:00 → 2026-10-26T00:00:00+00:00')
  assert.equal(hours({ view: 'day', from: '2026-10-25' }), 25)
  assert.equal(utc({ view: 'day', from: '1970-01-01' }), '1969-12-31T23:00:00Z → 1970-01-01T23:00:00Z')
  assert.equal(hours({ view: 'day', from: '1970-01-01' }), 24)
})

test('a week view is Monday to Sunday: 167 hours in spring, 169 in autumn', () => {
  assert.equal(local({ view: 'week', from: '2026-03-29' }), '2026-03-23T00:00:00+00:00 → 2026-03-30T00:00:00+01:00')
  assert.equal(hours({ view: 'week', from: '2026-03-29' }), 167)
  assert.equal(local({ view: 'week', from: '2026-10-21' }), '2026-10-19T00:00:00+01:00 → 2026-10-26T00:00:00+00:00')
  assert.equal(hours({ view: 'week', from: '2026-10-21' }), 169)
})

test('a month view is the calendar month', () => {
  assert.equal(utc({ view: 'month', from: '2026-03-15' }), '2026-03-01T00:00:00Z → 2026-03-31T23:00:00Z')
  assert.equal(hours({ view: 'month', from: '2026-03-15' }), 743)
  assert.equal(utc({ view: 'month', from: '2026-10-15' }), '2026-09-30T23:00:00Z → 2026-11-01T00:00:00Z')
  assert.equal(hours({ view: 'month', from: '2026-10-15' }), 745)
  assert.equal(utc({ view: 'month', from: '2026-07-15' }), '2026-06-30T23:00:00Z → 2026-07-31T23:00:00Z')
  assert.equal(hours({ view: 'month', from: '2026-07-15' }), 744)
  assert.equal(local({ view: 'month', from: '2026-12-31' }), '2026-12-01T00:00:00+00:00 → 2027-01-01T00:00:00+00:00')
})

test('a year view is the calendar year, leap day included', () => {
  assert.equal(hours({ view: 'year', from: '2028-05-01' }), 8_784)
  assert.equal(hours({ view: 'year', from: '2027-05-01' }), 8_760)
  assert.equal(
    local({ view: 'year', from: '2028-12-31T23:59:59' }),
    '2028-01-01T00:00:00+00:00 → 2029-01-01T00:00:00+00:00',
  )
})

test('the first day of the week is a setting', () => {
  const sunday = { view: 'week', from: '2026-03-29', weekStart: 6 } as const
  assert.equal(local(sunday), '2026-03-29T00:00:00+00:00 → 2026-04-05T00:00:00+01:00')
  const saturday = { view: 'week', from: '2026-03-29', weekStart: 5 } as const
  assert.equal(local(saturday), '2026-03-28T00:00:00+00:00 → 2026-04-04T00:00:00+01:00')
  for (let weekStart = 0; weekStart < 7; weekStart++) {
    const range = rangeOf({ view: 'week', from: '2026-07-15', weekStart })
    const at = Date.parse('2026-07-15T12:00:00Z')
    assert.ok(range.from <= at && at < range.to, `week start ${weekStart} loses the day asked for`)
  }
})

test('a view without a date is around today, in the requested zone', () => {
  const now = '2026-07-14T23:30:00Z'
  assert.equal(local({ view: 'day', now }), '2026-07-15T00:00:00+01:00 → 2026-07-16T00:00:00+01:00')
  assert.equal(
    local({ view: 'day', now, timezone: 'America/New_York' }),
    '2026-07-14T00:00:00-04:00 → 2026-07-15T00:00:00-04:00',
  )
  assert.equal(
    local({ view: 'month', now: '2026-06-30T16:00:00Z', timezone: 'Asia/Tokyo' }),
    '2026-07-01T00:00:00+09:00 → 2026-08-01T00:00:00+09:00',
  )
})

test('a view with only an end is around the last moment before it', () => {
  assert.equal(local({ view: 'day', to: '2026-07-14' }), '2026-07-14T00:00:00+01:00 → 2026-07-15T00:00:00+01:00')
  assert.equal(
    local({ view: 'day', to: '2026-07-14T00:00:00' }),
    '2026-07-13T00:00:00+01:00 → 2026-07-14T00:00:00+01:00',
  )
  assert.equal(local({ view: 'month', to: '2026-07-31' }), '2026-07-01T00:00:00+01:00 → 2026-08-01T00:00:00+01:00')
})

test('from and to together are the window, whatever the view', () => {
  for (const view of [undefined, 'list', 'day', 'week', 'month', 'year'] as const) {
    const asked = { from: '2026-07-01', to: '2026-07-03', ...(view ? { view } : {}) }
    assert.equal(local(asked), '2026-07-01T00:00:00+01:00 → 2026-07-04T00:00:00+01:00', String(view))
  }
})

test('a date includes its whole day at both ends; a date-time is exact', () => {
  assert.equal(local({ from: '2026-11-01', to: '2026-11-30' }), '2026-11-01T00:00:00+00:00 → 2026-12-01T00:00:00+00:00')
  assert.equal(
    local({ from: '2026-11-01T10:15', to: '2026-11-30T10:15:30' }),
    '2026-11-01T10:15:00+00:00 → 2026-11-30T10:15:30+00:00',
  )
  assert.equal(
    utc({ from: '2026-11-01T10:15:00+02:00', to: '2026-11-01T10:15:00Z', timezone: 'Asia/Tokyo' }),
    '2026-11-01T08:15:00Z → 2026-11-01T10:15:00Z',
  )
})

test('from alone reaches 366 local days on, to alone 366 local days back, with view=list or without a view', () => {
  for (const view of [undefined, 'list'] as const) {
    const more = view ? { view } : {}
    assert.equal(local({ from: '2026-01-01', ...more }), '2026-01-01T00:00:00+00:00 → 2027-01-02T00:00:00+00:00')
    assert.equal(local({ to: '2026-12-31', ...more }), '2025-12-31T00:00:00+00:00 → 2027-01-01T00:00:00+00:00')
  }
  // The wall time is the same at the other end, although an hour was lost or gained on the way.
  assert.equal(local({ from: '2026-03-28T09:00' }), '2026-03-28T09:00:00+00:00 → 2027-03-29T09:00:00+01:00')
})

test('a list view alone begins today', () => {
  assert.equal(local({ view: 'list' }), '2026-07-15T00:00:00+01:00 → 2027-07-16T00:00:00+01:00')
})

test('without time parameters there is no window', () => {
  assert.equal(resolve({}), undefined)
})

test('an empty or reversed window is refused', () => {
  assert.equal(refusal({ from: '2026-07-14T09:00', to: '2026-07-14T09:00' }), 'to: range_empty')
  assert.equal(refusal({ from: '2026-07-15', to: '2026-07-14' }), 'to: range_empty')
  assert.equal(refusal({ from: '2026-07-15', to: '2026-07-14', view: 'month' }), 'to: range_empty')
  // The two equal wall times of one autumn night, the wrong way round.
  assert.equal(refusal({ from: '2026-10-25T01:30:00+00:00', to: '2026-10-25T01:45:00+01:00' }), 'to: range_empty')
  assert.equal(hours({ from: '2026-07-14', to: '2026-07-14' }), 24)
})

test('the longest window is 1,830 local days', () => {
  assert.equal(hours({ from: '2026-01-01', to: '2031-01-04' }), 1_830 * 24)
  assert.equal(refusal({ from: '2026-01-01', to: '2031-01-05' }), 'to: range_too_large')
  assert.equal(refusal({ from: '2026-01-01T00:00:00', to: '2031-01-05T00:00:01' }), 'to: range_too_large')
  // Winter to summer, an hour short, and summer to winter, an hour over: still 1,830 days on the calendar.
  assert.equal(hours({ from: '2026-03-28', to: '2031-03-31' }), 1_830 * 24 - 1)
  assert.equal(hours({ from: '2026-10-24', to: '2031-10-27' }), 1_830 * 24 + 1)
})

test('the first and the last supported day can be requested in every zone', () => {
  for (const timezone of ['Europe/London', 'Asia/Tokyo', 'America/New_York', 'Pacific/Kiritimati']) {
    rangeOf({ from: '1900-01-01', to: '1900-01-02', timezone })
    rangeOf({ from: '2200-12-30', to: '2200-12-31', timezone })
    rangeOf({ view: 'year', from: '2200-05-01', timezone })
    assert.equal(refusal({ from: '1899-12-31', to: '1900-01-02', timezone }), 'from: out_of_range', timezone)
    assert.equal(refusal({ from: '2200-12-30', to: '2201-01-01', timezone }), 'to: out_of_range', timezone)
  }
  assert.equal(refusal({ from: '0001-01-01' }), 'from: out_of_range')
  assert.equal(refusal({ from: '9999-12-31' }), 'from: out_of_range')
  assert.equal(refusal({ to: '9999-12-31', view: 'month' }), 'to: out_of_range')
})

test('windows in zones with odd days: no midnight, a midnight in a gap, a day that is missing', () => {
  assert.equal(
    local({ view: 'day', from: '2023-04-28', timezone: 'Africa/Cairo' }),
    '2023-04-28T01:00:00+03:00 → 2023-04-29T00:00:00+03:00',
  )
  assert.equal(
    local({ from: '2023-04-20', to: '2023-04-27', timezone: 'Africa/Cairo' }),
    '2023-04-20T00:00:00+02:00 → 2023-04-28T01:00:00+03:00',
  )
  assert.equal(
    local({ view: 'day', from: '1919-03-31', timezone: 'America/Toronto' }),
    '1919-03-31T00:30:00-04:00 → 1919-04-01T00:00:00-04:00',
  )
  assert.equal(hours({ view: 'month', from: '2011-12-05', timezone: 'Pacific/Apia' }), 30 * 24)
  assert.equal(hours({ view: 'day', from: '2026-10-04', timezone: 'Australia/Lord_Howe' }), 23.5)
  assert.equal(hours({ view: 'day', from: '2026-04-05', timezone: 'Australia/Lord_Howe' }), 24.5)
})

test('a day that a zone skipped is empty', () => {
  // There is no such day: a view of it shows the next one, never an error or an empty window.
  assert.equal(
    local({ view: 'day', from: '2011-12-30', timezone: 'Pacific/Apia' }),
    '2011-12-31T00:00:00+14:00 → 2012-01-01T00:00:00+14:00',
  )
  assert.equal(refusal({ from: '2011-12-30', to: '2011-12-30', timezone: 'Pacific/Apia' }), 'to: range_empty')
})
