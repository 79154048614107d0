// Checks schema.org/Event JSON-LD and Open Graph tags of a page; returns what is wrong, in words.
//
// No kept package checks events: validators of npm know products and recipes, or fetch the vocabulary from schema.org.
// The rules are those of schema.org and of Google's documentation of events.

type Check = (value: unknown) => boolean

interface PropertyRule {
  isRequired?: boolean
  check: Check
}

const ADDRESS = /^https?:\/\/[^\s/]+(?:\/\S*)?$/
const DAY = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d`
const MOMENT = new RegExp(`^${DAY}(?:T${CLOCK}(?:Z|[+-]\\d\\d:\\d\\d))?$`)
const LOCAL = new RegExp(`^${DAY}(?:T${CLOCK})?$`)
const TIME = new RegExp(`^${CLOCK}$`)
const DURATION = /^P(?=.)(?:\d+D)?(?:T(?=\d)(?:\d+M)?(?:\d+S)?)?$/

const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const isText: Check = (value) => typeof value === 'string' && value.trim() !== ''
const isAddress = matches(ADDRESS)
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(check)
const oneOf =
  (...names: string[]): Check =>
  (value) =>
    names.some((name) => value === `https://schema.org/${name}`)
const isNumber =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
const isThing =
  (...types: string[]): Check =>
  (value) =>
    types.includes((value as { '@type'?: string } | null)?.['@type'] ?? '') && thingProblems(value).length === 0

const must = (check: Check): PropertyRule => ({ isRequired: true, check })
const may = (check: Check): PropertyRule => ({ check })

/** The properties of each type that a page may have; any other name is a mistake. */
const TYPES: Record<string, Record<string, PropertyRule>> = {
  Event: {
    '@context': must((value) => value === 'https://schema.org'),
    name: must(isText),
    startDate: must(matches(MOMENT)),
    endDate: must(matches(MOMENT)),
    url: must(isAddress),
    image: must(listOf(isAddress)),
    eventStatus: must(oneOf('EventScheduled', 'EventCancelled', 'EventRescheduled')),
    organizer: must(isThing('Organization')),
    previousStartDate: may(matches(MOMENT)),
    eventAttendanceMode: may(oneOf('OfflineEventAttendanceMode', 'OnlineEventAttendanceMode')),
    description: may(isText),
    location: may(isThing('Place', 'VirtualLocation')),
    eventSchedule: may(isThing('Schedule')),
  },
  Place: { name: must(isText), address: must(isText) },
  VirtualLocation: { url: must(isAddress) },
  Organization: { name: must(isText), url: must(isAddress) },
  Schedule: {
    startDate: must(matches(LOCAL)),
    repeatFrequency: must(matches(/^P[1-9]\d*[DWMY]$/)),
    duration: must(matches(DURATION)),
    endDate: may(matches(LOCAL)),
    startTime: may(matches(TIME)),
    scheduleTimezone: may((value) => isText(value) && isZone(value as string)),
    repeatCount: may(isNumber(1, 1_000_000)),
    byDay: may(listOf(oneOf('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'))),
    byMonth: may(listOf(isNumber(1, 12))),
    byMonthDay: may(listOf(isNumber(1, 31))),
    exceptDate: may(listOf(matches(LOCAL))),
  },
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

function thingProblems(value: unknown): string[] {
  const { '@type': type = '', ...thing } = value as Record<string, unknown> & { '@type'?: string }
  const rules = TYPES[type]
  if (!rules) return [`there is no type ${type} here`]
  const missing = Object.keys(rules).filter((name) => rules[name]!.isRequired && thing[name] === undefined)
  const wrong = Object.entries(thing).filter(([name, one]) => rules[name]?.check(one) !== true)
  return [
    ...missing.map((name) => `${type} has no ${name}`),
    ...wrong.map(([name, one]) => `${type}.${name} is ${JSON.stringify(one)}`),
  ]
}

/** Of the JSON-LD of an event. */
export function structuredDataProblems(data: Record<string, unknown>): string[] {
  const { startDate, endDate, eventStatus, previousStartDate, location, eventAttendanceMode } = data
  const isMoved = eventStatus === 'https://schema.org/EventRescheduled'
  return [
    ...thingProblems(data),
    ...(data['@type'] === 'Event' ? [] : ['it is no event']),
    ...(Date.parse(String(startDate)) <= Date.parse(String(endDate)) ? [] : ['it ends before it starts']),
    ...(String(startDate).length === String(endDate).length ? [] : ['a date and a time are mixed']),
    ...(isMoved === (previousStartDate !== undefined) ? [] : ['a moved date says where it was, and no other']),
    ...((location === undefined) === (eventAttendanceMode === undefined) ? [] : ['the mode is that of the place']),
  ]
}

/** All that the Open Graph protocol requires, and what a large picture needs. */
const TAGS: Record<string, Check> = {
  'og:title': isText,
  'og:type': (value) => value === 'website',
  'og:url': isAddress,
  'og:image': isAddress,
  'og:image:type': (value) => value === 'image/png',
  'og:image:width': (value) => value === '1200',
  'og:image:height': (value) => value === '630',
  'og:image:alt': isText,
  'og:site_name': isText,
  'og:description': isText,
  'og:locale': matches(/^[a-z]{2}_[A-Z]{2}$/),
  'twitter:card': (value) => value === 'summary_large_image',
  'twitter:image:alt': isText,
}

/** Open Graph names are `property`, those of Twitter `name`; each is there once. */
export function previewTagProblems(page: string): string[] {
  const tags = [...page.matchAll(/<meta (property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">/g)]
  return Object.entries(TAGS).flatMap(([name, check]) => {
    const found = tags.filter(([, , tag]) => tag === name)
    if (found.length !== 1) return [`${name} is there ${found.length} times`]
    const [, attribute, , value] = found[0]!
    const kind = name.startsWith('og:') ? 'property' : 'name'
    return attribute === kind && check(value) ? [] : [`${name} is ${attribute}="${value}"`]
  })
}
