// Generates the benchmark calendar from a seed; one month is the same at every size.
import type { EventFields } from '../src/domain/calendar/fields.ts'
import { DAY_MS, dateFromDay, dayFromDate, dayOf, HOUR_MS, type LocalMs } from '../src/domain/time/instant.ts'
import { formatDate, formatLocal } from '../src/domain/time/text.ts'

export interface Month {
  /** Its first day and the first day after it. */
  from: number
  to: number
}

/** An event as it would be sent, and which of its occurrences were edited later. */
export interface MadeEvent {
  fields: EventFields
  edited?: { key: LocalMs; location: string }
}

/** The month after this one: inside what the index keeps of endless series, whatever the day. */
export function measuredMonth(now: number): Month {
  const { year, month } = dateFromDay(dayOf(now))
  const nth = (months: number): number =>
    dayFromDate(year + Math.floor((month - 1 + months) / 12), ((month - 1 + months) % 12) + 1, 1)
  return { from: nth(1), to: nth(2) }
}

const RECURRING_SHARE = 0.15
const YEARS_AROUND = 20
const SESSIONS = 10

/** What touches the measured month: about 200 occurrences. */
const IN_MONTH = { endless: 10, series: 20, single: 107 }

export function* makeEvents(size: number, month: Month, seed = 20_260_101): Generator<MadeEvent> {
  const random = mulberry32(seed)
  const days = month.to - month.from
  const within = (): number => month.from + Math.floor(random() * days)
  yield yearLong(month)
  for (let i = 0; i < IN_MONTH.endless; i++) yield weekly(random, month.from - 730 + 7 * i + (i % 7), undefined)
  for (let i = 0; i < IN_MONTH.series; i++) yield weekly(random, within(), SESSIONS)
  for (let i = 0; i < IN_MONTH.single; i++) yield single(random, within())
  const made = 1 + IN_MONTH.endless + IN_MONTH.series + IN_MONTH.single
  const recurring = Math.round(size * RECURRING_SHARE) - IN_MONTH.endless - IN_MONTH.series
  for (let i = 0; i < size - made; i++) {
    yield i < recurring
      ? weekly(random, elsewhere(random, month, 7 * SESSIONS), SESSIONS)
      : single(random, elsewhere(random, month, 7))
  }
}

/** Only weekly series that begin within two years: many occurrences for few events, with words they all share. */
export function* makeSeries(size: number, occurrences: number, firstDay: number, seed = 12): Generator<MadeEvent> {
  const random = mulberry32(seed)
  for (let i = 0; i < size; i++) {
    const { fields, ...edited } = weekly(random, firstDay + Math.floor(random() * 730), occurrences)
    const description = `${fields.description ?? ''} An open table, a place to eat, a garden, a kitchen: one night.`
    yield { fields: { ...fields, description }, ...edited }
  }
}

/** A day within twenty years of the month from which nothing `reach` days long touches the month. */
function elsewhere(random: () => number, month: Month, reach: number): number {
  const span = YEARS_AROUND * 365
  for (;;) {
    const day = month.from + Math.floor((random() * 2 - 1) * span)
    if (day + reach < month.from - 1 || day > month.to + 1) return day
  }
}

const yearLong = (month: Month): MadeEvent => ({
  fields: {
    title: 'The jubilee year',
    visibility: 'public',
    all_day: true,
    start: formatDate(month.from - 150),
    end: formatDate(month.from + 215),
  },
})

function single(random: () => number, day: number): MadeEvent {
  return { fields: { ...words(random), ...(random() < 0.1 ? wholeDays(random, day) : hours(random, day)) } }
}

/** One series in five has a deleted session, one in ten has a session in another room. */
function weekly(random: () => number, day: number, count: number | undefined): MadeEvent {
  const times = hours(random, day)
  const rrule = `FREQ=WEEKLY${count === undefined ? '' : `;COUNT=${count}`}`
  const keyOf = (week: number): LocalMs => times.startWall + 7 * week * DAY_MS
  const exdates = random() < 0.2 ? [formatLocal(keyOf(2))] : []
  const { startWall: _, ...placed } = times
  const fields = { ...words(random), ...placed, rrule, exdates }
  return random() < 0.1 ? { fields, edited: { key: keyOf(1), location: 'Upstairs' } } : { fields }
}

/** Starts between seven in the morning and seven in the evening, on the quarter. */
function hours(random: () => number, day: number) {
  const startWall = day * DAY_MS + 7 * HOUR_MS + (Math.floor(random() * 48) * HOUR_MS) / 4
  const lasting = ((1 + Math.floor(random() * 12)) * HOUR_MS) / 4
  return { start: formatLocal(startWall), end: formatLocal(startWall + lasting), startWall }
}

const wholeDays = (random: () => number, day: number) => ({
  all_day: true,
  start: formatDate(day),
  end: formatDate(day + 1 + Math.floor(random() * 3)),
})

const SUBJECTS = ['Choir', 'Chess', 'Market', 'Council', 'Yoga', 'Reading', 'Repair', 'Garden', 'Swimming', 'Theatre']
const KINDS = ['evening', 'meeting', 'for beginners', 'rehearsal', 'open day', 'committee', 'workshop']
const PLACES = ['Main hall', 'Small hall', 'Library', 'School, room 12', 'Town square', 'Café Zoë']
const CATEGORIES = ['Music', 'Sport', 'Council', 'Learning', 'Families', 'Seniors']
const SENTENCES = [
  'Everyone is welcome, whether you have been before or not.',
  'Please bring your own cup; tea and coffee are there.',
  'The side entrance is open from half an hour before the start.',
  'Ask at the desk if you need a lift or a seat kept.',
]

function words(random: () => number) {
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)]!
  return {
    title: `${pick(SUBJECTS)} ${pick(KINDS)}`,
    description: random() < 0.6 ? `${pick(SENTENCES)} ${pick(SENTENCES)}` : null,
    location: random() < 0.8 ? pick(PLACES) : null,
    category: pick(CATEGORIES),
    visibility: random() < 0.7 ? ('public' as const) : ('private' as const),
  }
}

/** A small seeded random generator: the same numbers for the same seed on every machine. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
