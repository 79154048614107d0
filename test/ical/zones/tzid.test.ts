// Resolving TZIDs: every form that clients use, and no guess where there is no information.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { WINDOWS_TO_IANA_MAP } from 'windows-iana'
import { offsetAt, requireZone } from '../../../src/domain/time/zone.ts'
import { type Component, component, isComponent, property } from '../../../src/ical/text/tree.ts'
import { findZoneByTzid } from '../../../src/ical/zones/tzid.ts'
import { timeZoneText } from '../../../src/ical/zones/vtimezone.ts'
import { lines, parse } from '../objects.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 2445)

const nameOf = (tzid: string, definition?: Component, own?: string): string | undefined =>
  findZoneByTzid(tzid, definition, own === undefined ? undefined : requireZone(own))?.name

/** A VTIMEZONE from pairs of kind and lines. */
const definitionOf = (...observances: [string, ...string[]][]): Component =>
  parse(
    lines(
      'BEGIN:VTIMEZONE',
      'TZID:Somewhere',
      ...observances.flatMap(([kind, ...rest]) => [`BEGIN:${kind}`, ...rest, `END:${kind}`]),
      'END:VTIMEZONE',
    ),
  )

/** As Outlook defines a zone: the current rule, as if it had applied since 1601. */
const outlook = (standard: string, off: string, daylight: string, on: string): Component =>
  definitionOf(
    ['STANDARD', 'DTSTART:16010101T020000', `TZOFFSETFROM:${on}`, `TZOFFSETTO:${off}`, `RRULE:${standard}`],
    ['DAYLIGHT', 'DTSTART:16010101T020000', `TZOFFSETFROM:${off}`, `TZOFFSETTO:${on}`, `RRULE:${daylight}`],
  )

const EASTERN = outlook('FREQ=YEARLY;BYDAY=1SU;BYMONTH=11', '-0500', 'FREQ=YEARLY;BYDAY=2SU;BYMONTH=3', '-0400')

const fixed = (offset: string): Component =>
  definitionOf(['STANDARD', 'DTSTART:16010101T000000', `TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`])

test('IANA names are accepted, whatever their case, quotes and spaces', () => {
  for (const [tzid, name] of [
    ['Europe/London', 'Europe/London'],
    ['europe/LONDON', 'Europe/London'],
    [' Europe/London ', 'Europe/London'],
    ['"Europe/London"', 'Europe/London'],
    [' "America/Argentina/Buenos_Aires" ', 'America/Argentina/Buenos_Aires'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['UTC', 'UTC'],
    ['Etc/GMT-1', 'Etc/GMT-1'],
    ['GB', 'GB'],
  ] as const) {
    assert.equal(nameOf(tzid), name, tzid)
  }
})

test('IANA names are found after prefixes that clients add', () => {
  for (const [tzid, name] of [
    ['/freeassociation.sourceforge.net/Tzfile/Europe/London', 'Europe/London'],
    ['/freeassociation.sourceforge.net/Europe/London', 'Europe/London'],
    ['/mozilla.org/20050126_1/Europe/London', 'Europe/London'],
    ['/mozilla.org/20070129_1/America/Indiana/Knox', 'America/Indiana/Knox'],
    ['/citadel.org/20210210_1/Europe/London', 'Europe/London'],
    ['/softwarestudio.org/Olson_20011030_5/Europe/London', 'Europe/London'],
    ['/softwarestudio.org/Tzfile/America/North_Dakota/New_Salem', 'America/North_Dakota/New_Salem'],
    ['Tzfile/Europe/London', 'Europe/London'],
    ['http://tzurl.org/zoneinfo/Europe/London', 'Europe/London'],
    ['/freeassociation.sourceforge.net/UTC', 'UTC'],
    ['tzone://Microsoft/Utc', 'UTC'],
  ] as const) {
    assert.equal(nameOf(tzid), name, tzid)
  }
})

test('every Windows name is known, in any case, with a suffix for summer or a number', () => {
  const names = WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001')
  assert.ok(names.length > 130)
  for (const { windowsName, iana } of names) {
    const zone = findZoneByTzid(windowsName)
    assert.ok(zone, windowsName)
    const meant = requireZone(iana[0]!)
    for (let at = Date.UTC(2000, 0, 1); at < Date.UTC(2041, 0, 1); at += 30 * 86_400_000) {
      assert.equal(offsetAt(zone, at), offsetAt(meant, at), windowsName)
    }
    assert.equal(findZoneByTzid(windowsName.toUpperCase()), zone)
    assert.equal(findZoneByTzid(`"${windowsName} 1"`), zone)
    assert.equal(findZoneByTzid(windowsName.replace('Standard', 'Daylight')), zone)
  }
  for (const [tzid, name] of [
    ['GMT Standard Time', 'Europe/London'],
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['Eastern Standard Time', 'America/New_York'],
    ['India Standard Time', 'Asia/Kolkata'],
    ['FLE Standard Time', 'Europe/Kyiv'],
    ['UTC', 'UTC'],
    ['UTC+13', 'Etc/GMT-13'],
  ] as const) {
    assert.equal(nameOf(tzid), name, tzid)
  }
})

test('Windows display names are known, old and new', () => {
  for (const [tzid, name] of [
    ['(UTC+00:00) Dublin, Edinburgh, Lisbon, London', 'Europe/London'],
    ['(GMT) Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London', 'Europe/London'],
    ['(GMT+00.00) Dublin / Edinburgh / Lisbon / London', 'Europe/London'],
    ['(UTC+00:00) Monrovia, Reykjavik', 'Atlantic/Reykjavik'],
    ['(UTC+01:00) Casablanca', 'Africa/Casablanca'],
    ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 'Europe/Berlin'],
    ['(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien', 'Europe/Berlin'],
    ['(UTC+01:00) Brussels, Copenhagen, Madrid, Paris', 'Europe/Paris'],
    ['(UTC+01:00) Belgrade, Bratislava, Budapest, Ljubljana, Prague', 'Europe/Budapest'],
    ['(UTC+01:00) Sarajevo, Skopje, Warsaw, Zagreb', 'Europe/Warsaw'],
    ['(UTC+01:00) West Central Africa', 'Africa/Lagos'],
    ['(UTC+02:00) Athens, Bucharest', 'Europe/Bucharest'],
    ['(UTC+02:00) Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius', 'Europe/Kyiv'],
    ['(UTC+02:00) Harare, Pretoria', 'Africa/Johannesburg'],
    ['(UTC+02:00) Jerusalem', 'Asia/Jerusalem'],
    ['(UTC+03:00) Istanbul', 'Europe/Istanbul'],
    ['(UTC+03:00) Moscow, St. Petersburg', 'Europe/Moscow'],
    ['(UTC+03:30) Tehran', 'Asia/Tehran'],
    ['(UTC+04:00) Abu Dhabi, Muscat', 'Asia/Dubai'],
    ['(UTC+05:00) Ekaterinburg', 'Asia/Yekaterinburg'],
    ['(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi', 'Asia/Kolkata'],
    ['(UTC+05:30) Sri Jayawardenepura', 'Asia/Colombo'],
    ['(UTC+05:45) Kathmandu', 'Asia/Kathmandu'],
    ['(UTC+06:30) Yangon (Rangoon)', 'Asia/Yangon'],
    ['(UTC+08:00) Beijing, Chongqing, Hong Kong, Urumqi', 'Asia/Shanghai'],
    ['(UTC+08:00) Kuala Lumpur, Singapore', 'Asia/Singapore'],
    ['(UTC+09:00) Osaka, Sapporo, Tokyo', 'Asia/Tokyo'],
    ['(UTC+09:30) Adelaide', 'Australia/Adelaide'],
    ['(UTC+10:00) Canberra, Melbourne, Sydney', 'Australia/Sydney'],
    ['(UTC+10:00) Guam, Port Moresby', 'Pacific/Port_Moresby'],
    ['(UTC+11:00) Solomon Is., New Caledonia', 'Pacific/Guadalcanal'],
    ['(UTC+12:00) Auckland, Wellington', 'Pacific/Auckland'],
    ['(UTC+13:00) Samoa', 'Pacific/Apia'],
    ["(UTC+13:00) Nuku'alofa", 'Pacific/Tongatapu'],
    ['(UTC-01:00) Azores', 'Atlantic/Azores'],
    ['(UTC-01:00) Cabo Verde Is.', 'Atlantic/Cape_Verde'],
    ['(UTC-03:00) Brasilia', 'America/Sao_Paulo'],
    ['(UTC-03:00) City of Buenos Aires', 'America/Argentina/Buenos_Aires'],
    ['(UTC-03:30) Newfoundland', 'America/St_Johns'],
    ['(UTC-04:00) Atlantic Time (Canada)', 'America/Halifax'],
    ['(UTC-04:00) Georgetown, La Paz, Manaus, San Juan', 'America/La_Paz'],
    ['(UTC-05:00) Eastern Time (US & Canada)', 'America/New_York'],
    ['(GMT-05.00) Eastern Time (US & Canada)', 'America/New_York'],
    ['Eastern Time (US & Canada)', 'America/New_York'],
    ['(UTC-05:00) Bogota, Lima, Quito, Rio Branco', 'America/Bogota'],
    ['(UTC-06:00) Guadalajara, Mexico City, Monterrey', 'America/Mexico_City'],
    ['(UTC-07:00) Arizona', 'America/Phoenix'],
    ['(UTC-08:00) Pacific Time (US & Canada)', 'America/Los_Angeles'],
    ['(UTC-09:00) Alaska', 'America/Anchorage'],
    ['(UTC-10:00) Hawaii', 'Pacific/Honolulu'],
    ['(UTC) Coordinated Universal Time', 'UTC'],
  ] as const) {
    assert.equal(nameOf(tzid), name, tzid)
  }
  assert.equal(nameOf('(UTC+05:00) London'), undefined, 'a city whose clocks never showed that')
})

test('where the name is unknown, the location in the definition decides', () => {
  const place = component('VTIMEZONE', [property('TZID', 'x'), property('X-LIC-LOCATION', 'Asia/Tokyo')])
  assert.equal(nameOf('Clinic', place), 'Asia/Tokyo')
  assert.equal(nameOf('Europe/London', place), 'Europe/London')
  const other = component('VTIMEZONE', [property('X-LIC-LOCATION', '/citadel.org/1/Asia/Tokyo')])
  assert.equal(nameOf('Clinic', other), 'Asia/Tokyo')
})

test('where there is no location either, the offsets in the definition decide', () => {
  assert.equal(nameOf('Customized Time Zone', EASTERN), 'America/New_York')
  assert.equal(nameOf('tzone://Microsoft/Custom', EASTERN), 'America/New_York')
  assert.equal(nameOf('Clinic', EASTERN, 'America/Toronto'), 'America/Toronto', 'the calendar’s own is preferred')
  assert.equal(nameOf('Clinic', EASTERN, 'Europe/London'), 'America/New_York', 'but only where it goes alike')
  const london = parse(timeZoneText(requireZone('Europe/London')))
  assert.equal(nameOf('Clinic', component('VTIMEZONE', london.children.filter(isComponent))), 'Europe/London')
  assert.equal(nameOf('Clinic', fixed('+0900')), 'Asia/Tokyo')
  assert.equal(nameOf('Clinic', fixed('+0545')), 'Asia/Kathmandu')
  assert.equal(nameOf('Clinic', fixed('-1200')), 'Etc/GMT+12')
  assert.equal(nameOf('Clinic', fixed('+0000')), 'Etc/GMT')
})

test('our own definitions of every zone resolve to zones with the same offsets', () => {
  for (const name of Intl.supportedValuesOf('timeZone')) {
    const zone = requireZone(name)
    const bare = component('VTIMEZONE', parse(timeZoneText(zone)).children.filter(isComponent))
    assert.equal(nameOf('Clinic', bare, name), name)
    const found = findZoneByTzid('Clinic', bare)
    assert.ok(found, name)
    for (let at = Date.UTC(2000, 0, 1); at < Date.UTC(2041, 0, 1); at += 7 * 86_400_000) {
      assert.equal(offsetAt(found, at), offsetAt(zone, at), `${name} as ${found.name}`)
    }
  }
})

test('a definition by dates, by one observance a change, or with seconds in old offsets is accepted too', () => {
  const onsets: [string, ...string[]][] = [
    ['STANDARD', 'DTSTART:18471201T000000', 'TZOFFSETFROM:-000115', 'TZOFFSETTO:+0000'],
    [
      'DAYLIGHT',
      'DTSTART:19700329T010000',
      'TZOFFSETFROM:+0000',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20300331T010000Z',
    ],
    [
      'STANDARD',
      'DTSTART:19701025T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0000',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=SU;BYMONTHDAY=25,26,27,28,29,30,31',
    ],
  ]
  for (const year of [31, 32, 33, 34, 35, 36, 37, 38, 39, 40]) {
    const last = new Date(Date.UTC(2000 + year, 2, 31))
    const day = 31 - last.getUTCDay()
    onsets.push(['DAYLIGHT', `DTSTART:20${year}03${day}T010000`, 'TZOFFSETFROM:+0000', 'TZOFFSETTO:+0100'])
  }
  assert.equal(nameOf('Clinic', definitionOf(...onsets)), 'Europe/London')
})

test('an abbreviation means what its definition says', () => {
  assert.equal(nameOf('EST'), 'EST')
  assert.equal(nameOf('EST', fixed('-0500')), 'EST')
  assert.equal(nameOf('EST', EASTERN), 'America/New_York')
  assert.equal(nameOf('UTC', fixed('+0000')), 'UTC')
  const summer = outlook('FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10', '+0000', 'FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3', '+0100')
  assert.equal(nameOf('UTC', summer), 'UTC', 'clocks like no zone’s: the hours of the changes are wrong')
})

test('nothing is guessed', () => {
  const lunar = outlook('FREQ=YEARLY;BYDAY=2WE;BYMONTH=7', '+0217', 'FREQ=YEARLY;BYDAY=3TH;BYMONTH=2', '+0317')
  for (const tzid of [
    '',
    ' ',
    '"',
    '/',
    '//',
    '://',
    'Customized Time Zone',
    'Clinic',
    'Europe',
    'London',
    'Europe/Atlantis',
    'The clinic’s own clock',
    'BST',
    'PST',
    'GMT+1',
    '+01:00',
    'Z',
    'local',
    'floating',
    '(UTC+01:00)',
    '(UTC+01:00) ',
    '(UTC+99:99) London',
    'constructor',
    '__proto__',
    '(UTC) __proto__',
    'toString',
    'Standard Time',
    '../../Europe/../etc/passwd',
    'Europe/London\u0000',
    'Europe/London\nX:1',
    '\u202eEurope/London',
    'Ｅurope/London',
  ]) {
    assert.equal(nameOf(tzid), undefined, JSON.stringify(tzid))
    assert.equal(nameOf(tzid, component('VTIMEZONE', [])), undefined, JSON.stringify(tzid))
    assert.equal(nameOf(tzid, lunar, 'Europe/London'), undefined, JSON.stringify(tzid))
  }
})

test('an unreadable definition is ignored', () => {
  const from = 'TZOFFSETFROM:+0000'
  const to = 'TZOFFSETTO:+0100'
  const start = 'DTSTART:19700101T000000'
  for (const observance of [
    [from, to],
    [start, from],
    [start, to],
    [start, from, 'TZOFFSETTO:1'],
    [start, 'TZOFFSETFROM:+1', to],
    ['DTSTART:yesterday', from, to],
    [start, from, to, 'RDATE:never'],
    [start, from, to, 'RRULE:whenever'],
    [start, from, to, 'RRULE:FREQ=SECONDLY'],
    [start, from, to, 'RRULE:FREQ=DAILY'],
    [start, from, to, 'RRULE:FREQ=YEARLY;COUNT=9999'],
    [start, from, to, 'RRULE:FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=1,2,3,4,5,6'],
  ]) {
    assert.equal(nameOf('Clinic', definitionOf(['STANDARD', ...observance])), undefined, observance.join(' '))
  }
})

test('hostile names and definitions are resolved quickly', () => {
  for (const sign of ['a', '/', '"', ' ', '(', 'Europe/', '/Europe/London', '(utc) a,']) {
    assert.equal(nameOf(sign.repeat(100_000)), undefined)
  }
  const offsets = ['TZOFFSETFROM:+0000', 'TZOFFSETTO:+0100']
  const yearly = 'RRULE:FREQ=YEARLY;BYYEARDAY=366;BYDAY=MO;INTERVAL=7'
  const busy = ['STANDARD', 'DTSTART:00010101T000000', ...offsets, yearly] as [string, ...string[]]
  const one = definitionOf(busy).children.filter(isComponent)[0]!
  const many = (count: number): Component =>
    component(
      'VTIMEZONE',
      Array.from({ length: count }, () => one),
    )
  assert.equal(nameOf('Clinic', many(100_000)), undefined)
  assert.equal(nameOf('Clinic', many(100)), 'Africa/Lagos', 'some that take little work')
  const dates = component('STANDARD', [
    ...one.children.filter((line) => !isComponent(line) && line.name !== 'RRULE'),
    ...Array.from({ length: 1_000 }, () => property('RDATE', '20260101T000000,'.repeat(1_000))),
  ])
  assert.equal(nameOf('Clinic', component('VTIMEZONE', [dates])), undefined)
})

test(`no name or definition throws, and UTC comes only from an explicit UTC (DAYBOOK_SEED=${SEED})`, () => {
  const word = fc.constantFrom(
    'Europe',
    'London',
    '/',
    '(UTC',
    '+01:00)',
    ' ',
    ',',
    '"',
    'Standard Time',
    'GMT',
    ':',
    '-',
  )
  const name = fc.oneof(
    fc.string(),
    fc.array(word, { maxLength: 8 }).map((words) => words.join('')),
  )
  const value = fc.oneof(fc.string(), fc.constantFrom('+0000', '-0500', '19700101T000000', 'FREQ=YEARLY'))
  const line = fc.tuple(fc.constantFrom('DTSTART', 'RDATE', 'RRULE', 'TZOFFSETFROM', 'TZOFFSETTO'), value)
  const observance = fc.array(line, { maxLength: 6 }).map((all) =>
    component(
      'STANDARD',
      all.map(([key, text]) => property(key, text)),
    ),
  )
  const definition = fc.array(observance, { maxLength: 3 }).map((all) => component('VTIMEZONE', all))
  fc.assert(
    fc.property(name, fc.option(definition, { nil: undefined }), (tzid, vtimezone) => {
      const zone = findZoneByTzid(tzid, vtimezone)
      if (zone?.name === 'UTC') assert.match(tzid, /utc/i)
    }),
    { seed: SEED, numRuns: 2_000 },
  )
})
