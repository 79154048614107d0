// A series that was changed from an occurrence on reads the same after it is written, floating ones too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Series } from '../../src/domain/calendar/event.ts'
import { deleteFollowing } from '../../src/domain/calendar/following/delete-following.ts'
import { patchFollowing } from '../../src/domain/calendar/following/patch-following.ts'
import type { SeriesUpdate } from '../../src/domain/calendar/update.ts'
import { runSteps } from '../../src/domain/steps.ts'
import { formatLocal } from '../../src/domain/time/text.ts'
import { AppError } from '../../src/errors.ts'
import { decodeSeries } from '../../src/ical/decode.ts'
import { encodeSeries, type OpenObject } from '../../src/ical/encode.ts'
import { parseCalendar } from '../../src/ical/text/parse.ts'
import { printCalendar } from '../../src/ical/text/print.ts'
import type { Component } from '../../src/ical/text/tree.ts'
import { valuesByKey } from '../domain/calendar/following/values.ts'
import { DEFAULTS } from '../domain/calendar/series.ts'
import { anySeries } from './any-series.ts'

const anyPatch = fc.record({
  minutes: fc.option(fc.integer({ min: -3_000, max: 3_000 }), { nil: undefined }),
  timezone: fc.option(fc.constantFrom('Europe/London', 'America/New_York'), { nil: undefined }),
  rrule: fc.option(fc.constantFrom('FREQ=DAILY', 'FREQ=WEEKLY;INTERVAL=2', 'FREQ=DAILY;COUNT=5', null), {
    nil: undefined,
    freq: 2,
  }),
  title: fc.option(fc.constant('New'), { nil: undefined }),
  transparency: fc.option(fc.constantFrom('opaque', 'transparent'), { nil: undefined }),
  visibility: fc.option(fc.constant('private'), { nil: undefined }),
})

function written(series: Series, before?: OpenObject): OpenObject {
  const tree = parseCalendar(printCalendar(encodeSeries(series, 0, before))) as Component
  return { tree, series: decodeSeries(tree, 'Europe/London') as Series }
}

const floating = (series: Series): Series => ({
  ...series,
  timing: { ...series.timing, floating: true },
  overrides: series.overrides.map((one) => ({ ...one, timing: { ...one.timing, floating: true } })),
})

/** Undefined where the change is refused. */
function updateOf(change: () => SeriesUpdate): SeriesUpdate | undefined {
  try {
    return change()
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

test('a series changed from an occurrence on reads the same after it is written', () => {
  let changes = 0
  fc.assert(
    fc.property(
      anySeries,
      fc.record({ floats: fc.boolean(), deletes: fc.boolean() }),
      fc.nat(10),
      anyPatch,
      (any, how, index, { minutes, ...rest }) => {
        const before = written(how.floats && !any.timing.allDay ? floating(any) : any)
        const { series } = before
        const all = valuesByKey(series, 40)
        const chosen = all[index % Math.max(1, all.length)]
        if (!chosen || (!series.rule && series.rdates.length === 0)) return
        const length = series.timing.allDay ? 10 : 19
        const start = minutes === undefined ? undefined : formatLocal(chosen.key + minutes * 60_000).slice(0, length)
        const sent = Object.fromEntries(Object.entries({ ...rest, start }).filter(([, value]) => value !== undefined))
        const update = updateOf(() =>
          how.deletes
            ? deleteFollowing(series, chosen.key)
            : runSteps(patchFollowing(series, chosen.key, sent, DEFAULTS)),
        )
        if (!update || update.isEmpty || update.series === series) return
        changes += 1
        const after = written(update.series, { ...before, movedKeys: update.movedKeys }).series
        assert.deepEqual(valuesByKey(after), valuesByKey(update.series))
        assert.deepEqual(after.exclusions, update.series.exclusions)
        assert.equal(after.overrides.length, update.series.overrides.length)
        assert.equal(after.visibility, update.series.visibility)
      },
    ),
    { numRuns: 400 },
  )
  assert.ok(changes > 200, `${changes} changes`)
})
