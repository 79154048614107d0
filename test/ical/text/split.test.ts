// Splitting files of other programs into events: normalised where needed, otherwise kept byte for byte.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Visibility } from '../../../src/domain/calendar/event.ts'
import { formatUtc } from '../../../src/domain/time/text.ts'
import { requireZone } from '../../../src/domain/time/zone.ts'
import { type ImportedObject, importEvent, isImported } from '../../../src/ical/import/import-event.ts'
import { UNTITLED } from '../../../src/ical/import/normalize.ts'
import { isParseProblem, parseCalendar } from '../../../src/ical/text/parse.ts'
import { printCalendar } from '../../../src/ical/text/print.ts'
import { isSplitProblem, type Split, splitCalendar } from '../../../src/ical/text/split.ts'
import { createZoneFinder } from '../../../src/ical/zones/foreign-zones.ts'
import { startWork } from '../../support/measure/effort.ts'
import { apple, event, file, google, outlook, thunderbird } from '../files.ts'
import { lines, NOW, unfold } from '../objects.ts'

const LONDON = requireZone('Europe/London')

/** Twenty times what an idle machine needs; work that is not linear would take minutes. */
const QUICK_MS = 2_000

function split(text: string): Split {
  const result = splitCalendar(text)
  assert.ok(!isSplitProblem(result), JSON.stringify(result))
  return result
}

const problemOf = (text: string, maxLines?: number): string => {
  const result = splitCalendar(text, maxLines)
  return isSplitProblem(result) ? result.problem : 'none'
}

const adoptAll = (text: string, visibility: Visibility = 'private') =>
  split(text).events.map((found) =>
    importEvent(found, { zone: LONDON, visibility, now: NOW, findZone: createZoneFinder(LONDON) }),
  )

function adopt(text: string, visibility?: Visibility): ImportedObject {
  const [result] = adoptAll(text, visibility)
  assert.ok(result && isImported(result), JSON.stringify(result))
  return result
}

function reasonOf(...components: string[]): string {
  const [result] = adoptAll(file(...components))
  assert.ok(result)
  return isImported(result) ? 'taken' : result.left.at(-1)!.reason
}

const linesOf = ({ tree }: ImportedObject): string[] => unfold(printCalendar(tree))
const startsOf = ({ series }: ImportedObject): string => `${formatUtc(series.timing.startAt)} ${series.timing.zone}`

const TIMES = ['DTSTART;TZID=Europe/London:20260714T090000', 'DTEND;TZID=Europe/London:20260714T100000']

test('Google: a series and the occurrence edited before it are one event; METHOD and VTIMEZONE are removed', () => {
  const [choir, tea] = adoptAll(google) as ImportedObject[]
  const text = printCalendar(choir!.tree)
  assert.doesNotMatch(text, /METHOD|VTIMEZONE|X-WR/)
  assert.deepEqual(unfold(text).slice(0, 5), [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Daybook//Daybook//EN',
    'CALSCALE:GREGORIAN',
    'BEGIN:VEVENT',
  ])
  assert.ok(text.indexOf('RRULE') < text.indexOf('RECURRENCE-ID'), 'the series comes first')
  assert.equal(choir!.series.overrides[0]?.details.title, 'Choir, an hour later')
  assert.equal(choir!.series.exclusions.length, 1)
  assert.equal(choir!.series.visibility, 'private')
  assert.equal(startsOf(tea!), '2026-08-01T16:00:00Z UTC')
})

test('lines that need no change keep their exact text, with folds, parameters and unknown properties', () => {
  for (const source of [google, outlook, apple, thunderbird]) {
    for (const adopted of adoptAll(source) as ImportedObject[]) {
      const kept = printCalendar(adopted.tree).split('\r\n')
      const known = new Set([...source.split('\r\n'), ...kept.slice(0, 4)])
      const changed = kept.filter((line) => !known.has(line))
      assert.ok(
        changed.every((line) => /^(?:DTSTART|DTEND|EXDATE|RECURRENCE-ID);TZID=|^CLASS:PRIVATE$/.test(line)),
        changed.join('\n'),
      )
    }
  }
})

test('Outlook: Windows names and custom zone names become IANA zones', () => {
  const [board, surgery] = adoptAll(outlook) as ImportedObject[]
  assert.equal(startsOf(board!), '2026-07-14T08:00:00Z Europe/London')
  assert.ok(linesOf(board!).includes('DTSTART;TZID=Europe/London:20260714T090000'))
  assert.equal(board!.series.visibility, 'private')
  assert.match(board!.series.uid, /^040000008200E00074C5B7101A82E008\w+12345678$/)
  assert.equal(startsOf(surgery!).slice(0, 20), '2026-07-15T13:00:00Z')
  assert.match(surgery!.series.timing.zone, /^America\//)
  assert.equal(surgery!.series.visibility, 'public')
  assert.doesNotMatch(printCalendar(surgery!.tree), /corner/, 'P17: what people call their zone stays with them')
})

test('Apple: an alarm keeps its own UID, an all-day event without an end lasts a day, a to-do is reported and skipped', () => {
  const { events, skipped } = split(apple)
  assert.deepEqual(
    events.map(({ uid }) => uid),
    ['AD3E1B64-0C4F-4A7E-9C53-0A6C2B9F0001'],
  )
  assert.deepEqual(
    skipped.map(({ part, reason }) => [part.uid, part.line, reason]),
    [['todo-1', 24, 'todo']],
  )
  const fete = adopt(apple)
  assert.equal(fete.series.timing.durationMs, 86_400_000)
  assert.ok(linesOf(fete).includes('UID:AD3E1B64-0C4F-4A7E-9C53-0A6C2B9FALARM'))
})

test('Thunderbird: TZIDs with a path prefix are known; times without TZID are in the calendar’s zone', () => {
  const [sailing, lunch] = adoptAll(thunderbird) as ImportedObject[]
  assert.equal(startsOf(sailing!), '2026-07-14T08:00:00Z Europe/Lisbon')
  assert.equal(startsOf(lunch!), '2026-07-14T11:00:00Z Europe/London')
  assert.ok(linesOf(lunch!).includes('EXDATE:20260715T120000'))
  assert.equal(lunch!.series.exclusions.length, 1)
})

test('times without TZID use the zone of the file where it has one, and that of their series where that has one', () => {
  const floating = event('a', 'DTSTART:20260714T090000', 'SUMMARY:A')
  const named = file(floating).replace('PRODID', 'X-WR-TIMEZONE:America/New_York\r\nPRODID')
  assert.equal(startsOf(adopt(named)), '2026-07-14T13:00:00Z America/New_York')
  const followed = adopt(
    file(event('a', 'DTSTART;TZID=Asia/Tokyo:20260714T090000', 'DTEND:20260714T100000', 'SUMMARY:A')),
  )
  assert.equal(followed.series.timing.durationMs, 3_600_000)
  assert.ok(linesOf(followed).includes('DTEND;TZID=Asia/Tokyo:20260714T100000'))
})

test('an event with an unknown zone without a definition is skipped, never read as UTC', () => {
  const unknown = 'DTSTART;TZID=Nowhere/Land:20260714T090000'
  assert.equal(reasonOf(event('a', unknown, 'SUMMARY:A')), 'timezone_unknown')
  assert.equal(
    reasonOf(event('a', ...TIMES, 'RRULE:FREQ=DAILY', 'EXDATE;TZID=Nowhere/Land:20260715T090000')),
    'timezone_unknown',
  )
  const utc = adopt(file(event('a', 'DTSTART;TZID=Nowhere/Land:20260714T090000Z', 'SUMMARY:A')))
  assert.equal(startsOf(utc), '2026-07-14T09:00:00Z UTC', 'an instant needs no zone')
})

test('two calendars in one file may each define a zone of the same name', () => {
  const zone = (offset: string): string =>
    lines(
      'BEGIN:VTIMEZONE',
      'TZID:Ours',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      `TZOFFSETFROM:${offset}`,
      `TZOFFSETTO:${offset}`,
      'END:STANDARD',
      'END:VTIMEZONE',
    )
  const of = (uid: string, offset: string): string =>
    file(zone(offset), event(uid, 'DTSTART;TZID=Ours:20260714T090000', 'SUMMARY:A'))
  const both = adoptAll(of('a', '+0900') + of('b', '+0000')) as ImportedObject[]
  assert.deepEqual(
    both.map((one) => startsOf(one).slice(0, 20)),
    ['2026-07-14T00:00:00Z', '2026-07-14T09:00:00Z'],
  )
})

test('missing properties are added: DTSTAMP, a title, and the given visibility', () => {
  const bare = file(lines('BEGIN:VEVENT', 'UID:a', 'DTSTART:20260714T090000Z', 'END:VEVENT'))
  const taken = linesOf(adopt(bare, 'public'))
  assert.ok(taken.includes('DTSTAMP:20260701T120000Z'))
  assert.ok(taken.includes('CLASS:PUBLIC'))
  assert.ok(taken.includes(`SUMMARY:${UNTITLED}`))
  assert.equal(adopt(bare, 'private').series.visibility, 'private')
  const edited = adopt(
    file(
      event('a', ...TIMES, 'RRULE:FREQ=DAILY', 'SUMMARY:Choir'),
      event('a', 'RECURRENCE-ID:20260715T080000Z', 'DTSTART:20260715T100000Z'),
    ),
  )
  assert.equal(edited.series.overrides[0]?.details.title, 'Choir', 'an edit without a title has the series’')
})

test('characters that JSON refuses are removed from the fields we show, and stay in other lines', () => {
  const other = 'X-NOTE:a\u2028b\u0085c\u009fd'
  const { series, tree } = adopt(
    file(
      event(
        'a',
        ...TIMES,
        'SUMMARY;LANGUAGE=en:Tea\u2028and\u0085cake\\, \u0080all',
        'DESCRIPTION:One\u2029Two\u0085Three\\nFour\u009f',
        'LOCATION:Left\u2028hall',
        'CATEGORIES:Mu\u0085sic\\, old,Other\u2029one',
        other,
      ),
    ),
  )
  const { title, description, location, category } = series.details
  assert.deepEqual(
    [title, description, location, category],
    ['Tea and cake, all', 'One\nTwo\nThree\nFour', 'Left hall', 'Mu sic, old'],
  )
  const printed = printCalendar(tree)
  assert.match(printed, /\r\nSUMMARY;LANGUAGE=en:Tea and cake\\, all\r\n/)
  assert.match(printed, /\r\nCATEGORIES:Mu sic\\, old,Other one\r\n/)
  assert.ok(printed.includes(`\r\n${other}\r\n`))
  assert.equal(adopt(file(event('a', ...TIMES, 'SUMMARY:\u0085\u009f'))).series.details.title, 'Untitled')
})

test('P14, P19, P20: only PUBLIC on every part publishes; a missing CLASS takes the given default', () => {
  const series = (main: string[], edit: string[]) =>
    file(
      event('a', ...TIMES, 'RRULE:FREQ=DAILY', 'SUMMARY:A', ...main),
      event('a', 'RECURRENCE-ID:20260715T080000Z', 'DTSTART:20260715T100000Z', 'SUMMARY:B', ...edit),
    )
  const words = ['PUBLIC', ' public ', 'PRIVATE', 'CONFIDENTIAL', 'PUBLıC', 'X-SECRET', '', undefined]
  for (const main of words) {
    for (const edit of words) {
      for (const given of ['public', 'private'] as const) {
        const classLine = (word: string | undefined): string[] => (word === undefined ? [] : [`CLASS:${word}`])
        const { series: read } = adopt(series(classLine(main), classLine(edit)), given)
        const isOpen = (word: string | undefined, missing: boolean): boolean =>
          word === undefined ? missing : ['PUBLIC', ' public '].includes(word)
        const expected = isOpen(main, given === 'public') && isOpen(edit, true) ? 'public' : 'private'
        assert.equal(read.visibility, expected, `${main} ${edit} ${given}`)
      }
    }
  }
})

test('any X-CALENDARSERVER-ACCESS but PUBLIC makes the event private, on the event, on an edit or on its calendar', () => {
  const one = (...more: string[]): string => event('a', ...TIMES, 'SUMMARY:A', ...more)
  const line = (word: string): string => `X-CALENDARSERVER-ACCESS:${word}`
  const visibilityOf = (text: string): string => adopt(text, 'public').series.visibility
  for (const word of ['CONFIDENTIAL', 'PRIVATE', 'restricted', 'PUBLıC', 'X-OTHER', '']) {
    assert.equal(visibilityOf(file(one(line(word)))), 'private', word)
    assert.equal(visibilityOf(file(one(line(word), 'CLASS:PUBLIC'))), 'private', word)
    assert.equal(
      visibilityOf(file(one()).replace('PRODID', `${line(word) || 'X'}\r\nPRODID`)),
      word ? 'private' : 'public',
    )
    const edit = event('a', 'RECURRENCE-ID:20260715T080000Z', 'DTSTART:20260715T100000Z', line(word))
    assert.equal(visibilityOf(file(one('RRULE:FREQ=DAILY'), edit)), 'private', word)
  }
  const onCalendar = (...lines: string[]): string => file(one()).replace('PRODID', `${lines.join('\r\n')}\r\nPRODID`)
  assert.equal(visibilityOf(file(one(line('PUBLIC'), line('PRIVATE')))), 'private')
  assert.equal(visibilityOf(onCalendar(line('PUBLIC'), line('PRIVATE'))), 'private')
  assert.equal(visibilityOf(onCalendar(line('PRIVATE'), line('PUBLIC'))), 'private')
  assert.equal(visibilityOf(onCalendar('X-CALENDARSERVER-ACC\r\n ESS:PRIVATE')), 'private')
  assert.equal(visibilityOf(onCalendar('X-CALENDARSERVER-ACCESS :PRIVATE')), 'private')
  assert.equal(visibilityOf(onCalendar(line('PRIVATE')).replace('SUMMARY', `${line('PUBLIC')}\r\nSUMMARY`)), 'private')
  assert.equal(visibilityOf(file(one(line(' public ')))), 'public')
  assert.ok(linesOf(adopt(file(one(line('PRIVATE'), 'CLASS:CONFIDENTIAL')))).includes('CLASS:CONFIDENTIAL'))
})

test('an edited occurrence loses properties of the series, and of two edits the later holds, whatever its zone', () => {
  const adopted = adopt(
    file(
      event('a', ...TIMES, 'RRULE:FREQ=DAILY', 'SUMMARY:A'),
      event(
        'a',
        'RECURRENCE-ID;TZID=Europe/London:20260715T090000',
        'DTSTART:20260715T100000Z',
        'SUMMARY:First',
        'RRULE:FREQ=DAILY',
        'EXDATE:20260720T080000Z',
      ),
      event('a', 'RECURRENCE-ID:20260715T080000Z', 'DTSTART:20260715T110000Z', 'SUMMARY:Second'),
    ),
  )
  assert.deepEqual(
    adopted.series.overrides.map(({ details }) => details.title),
    ['Second'],
  )
  const text = printCalendar(adopted.tree)
  assert.doesNotMatch(text, /First|EXDATE/)
  assert.equal(text.match(/RRULE/g)?.length, 1)
})

test('one occurrence without its series is a single event; several are a series of only them', () => {
  const edit = (key: string, ...more: string[]): string =>
    event('a', `RECURRENCE-ID:${key}`, 'DTSTART:20260715T100000Z', 'SUMMARY:Alone', ...more)
  const alone = adopt(file(edit('20260715T080000Z')))
  assert.equal(alone.wasOccurrence, true)
  assert.match(printCalendar(alone.tree), /RECURRENCE-ID:20260715T080000Z/)
  assert.deepEqual([alone.series.overrides, alone.series.rdates], [[], []])
  const several = adopt(file(edit('20260716T080000Z'), edit('20260715T080000Z', 'RRULE:FREQ=DAILY')))
  const [first, second] = [Date.parse('2026-07-15T08:00Z'), Date.parse('2026-07-16T08:00Z')]
  const { timing, rdates, overrides, rule } = several.series
  assert.deepEqual([timing.startWall, rdates, rule], [first, [second], undefined])
  assert.deepEqual(
    overrides.map(({ key }) => key),
    [first, second],
  )
  const classes = (...words: string[]) =>
    file(...words.map((word, i) => edit(`2026071${i + 5}T080000Z`, ...(word ? [`CLASS:${word}`] : []))))
  assert.equal(adopt(classes('PUBLIC', 'PUBLIC')).series.visibility, 'public')
  assert.equal(adopt(classes('PUBLIC', 'PRIVATE')).series.visibility, 'private')
  assert.equal(adopt(classes('PUBLIC', '')).series.visibility, 'private', 'the other has no CLASS')
  assert.equal(adopt(classes('PUBLIC', ''), 'public').series.visibility, 'public')
  const cancelled = adopt(file(edit('20260715T080000Z', 'STATUS:CANCELLED'), edit('20260716T080000Z')))
  assert.equal(cancelled.series.details.status, 'confirmed', 'one that is cancelled does not cancel the others')
  const again = adopt(file(edit('20260715T080000Z'), edit('20260715T080000Z', 'LOCATION:Last')))
  assert.deepEqual([again.series.details.location, again.series.overrides], ['Last', []])
  assert.equal(reasonOf(edit('20260715T080000Z'), edit('whenever')), 'occurrence_unreadable')
  assert.equal(
    reasonOf(edit('20260715T080000Z').replace('-ID:', '-ID;RANGE=THISANDFUTURE:')),
    'taken',
    'of a series that is not there',
  )
  assert.equal(reasonOf(edit('20260715T080000Z', 'RRULE:FREQ=DAILY')), 'occurrence_without_series')
  assert.equal(reasonOf(event('a', ...TIMES), edit('20260714T080000Z')), 'occurrence_without_series')
  const once = event('a', ...TIMES, 'RDATE:20260714T080000Z')
  assert.equal(reasonOf(once, edit('20260714T080000Z')), 'occurrence_without_series', 'an extra date that is none')
})

test('every skipped part is reported with its own line', () => {
  const leftOf = (...components: string[]): unknown[] => {
    const [result] = adoptAll(file(...components))
    return result!.left.map(({ part, line, reason }) => [part.line, line, reason])
  }
  const edit = (key: string): string => event('a', `RECURRENCE-ID:${key}`, 'DTSTART:20260715T100000Z', 'SUMMARY:B')
  const main = event('a', ...TIMES, 'SUMMARY:A')
  assert.deepEqual(leftOf(main, event('a', 'SUMMARY:No start')), [
    [4, 4, 'uid_repeated'],
    [11, 11, 'times_unreadable'],
  ])
  assert.deepEqual(leftOf(main, event('a', 'no colon')), [
    [4, 4, 'uid_repeated'],
    [11, 14, 'unreadable'],
  ])
  assert.deepEqual(leftOf(event('a', 'no colon'), main), [[4, 7, 'unreadable']], 'and the later is taken')
  const broken = event('a', 'RECURRENCE-ID:20260715T080000Z', 'no colon')
  assert.deepEqual(leftOf(edit('20260716T080000Z'), broken), [
    [4, 4, 'occurrence_without_series'],
    [11, 15, 'unreadable'],
  ])
  assert.deepEqual(leftOf(event('a', ...TIMES, 'RRULE:FREQ=DAILY'), edit('20260716T080000Z'), broken), [
    [18, 22, 'unreadable'],
    [4, 4, 'occurrence_unreadable'],
  ])
})

test('an event that contains another, or a calendar, is skipped with everything inside it', () => {
  const inner = ['BEGIN:VEVENT', 'UID:in', ...TIMES, 'SUMMARY:In', 'END:VEVENT']
  for (const inside of [inner, ['BEGIN:VCALENDAR', ...inner, 'END:VCALENDAR'], ['BEGIN:X', ...inner, 'END:X']]) {
    assert.equal(reasonOf(event('a', ...TIMES, 'SUMMARY:A', ...inside)), 'nested')
    assert.equal(split(file(event('a', ...TIMES, ...inside))).events.length, 1)
  }
  assert.equal(reasonOf(event('a', ...TIMES, 'BEGIN:VALARM', 'TRIGGER:-PT5M', 'END:VALARM')), 'taken')
  const deep = ['BEGIN:VEVENT', 'UID:deep', ...inner, 'END:VEVENT']
  assert.deepEqual(
    split(file(event('a', ...TIMES, ...deep), event('b', ...TIMES))).events.map(({ uid }) => uid),
    ['deep', 'b'],
    'and what follows is found',
  )
})

test('a UID that is ambiguous is refused', () => {
  assert.equal(reasonOf(lines('BEGIN:VEVENT', 'UID:', 'UID:a', ...TIMES, 'END:VEVENT')), 'unreadable')
  assert.equal(reasonOf(lines('BEGIN:VEVENT', 'UI', ' D:b', 'UID:a', ...TIMES, 'END:VEVENT')), 'unreadable')
  assert.equal(reasonOf(lines('BEGIN:VEVENT', 'UID;X="a:b":a', ' b', ...TIMES, 'END:VEVENT')), 'taken')
})

test('iTIP messages are reported and skipped', () => {
  const of = (method: string) => split(file(event('a', ...TIMES)).replace('PRODID', `METHOD:${method}\r\nPRODID`))
  for (const method of ['REPLY', 'cancel', 'COUNTER', 'REFRESH', 'DECLINECOUNTER', 'ADD'])
    assert.deepEqual(
      of(method).skipped.map(({ reason }) => reason),
      ['message'],
      method,
    )
  for (const method of ['PUBLISH', 'Request', 'X-OTHER']) assert.equal(of(method).events.length, 1, method)
  const late = file(event('a', ...TIMES), lines('METHOD:REPLY'))
  assert.equal(split(late).skipped[0]?.reason, 'message', 'wherever it stands')
})

test('an exclusion is dropped where nothing recurs, or where it is outside the supported years', () => {
  const alone = adopt(file(event('a', ...TIMES, 'EXDATE;TZID=Europe/London:20260714T090000')))
  assert.deepEqual(alone.series.exclusions, [])
  assert.doesNotMatch(printCalendar(alone.tree), /EXDATE/)
  const far = adopt(file(event('a', ...TIMES, 'RRULE:FREQ=DAILY', 'EXDATE:18990714T080000Z,20260715T080000Z')))
  assert.equal(far.series.exclusions.length, 1)
})

test('a zone definition is found however its name is spelt', () => {
  const zone = (tzid: string): string =>
    lines(
      'BEGIN:VTIMEZONE',
      `TZID:${tzid}`,
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:+0900',
      'TZOFFSETTO:+0900',
      'END:STANDARD',
      'END:VTIMEZONE',
    )
  for (const [tzid, param] of [
    ['Our zone\\, HQ', '"Our zone, HQ"'],
    ['"Our zone"', 'Our zone'],
    [' Our zone ', 'Our zone'],
    ['Our Zone', 'our zone'],
    ['Ours\\; theirs', '"Ours; theirs"'],
  ] as const) {
    const adopted = adopt(file(zone(tzid), event('a', `DTSTART;TZID=${param}:20260714T090000`)))
    assert.match(startsOf(adopted), /^2026-07-14T00:00:00Z/, tzid)
  }
})

test('a rule with blanks, empty parts, X- parts or RSCALE=GREGORIAN is accepted', () => {
  for (const rule of [
    'FREQ=WEEKLY;BYDAY=TU;',
    'FREQ=WEEKLY; BYDAY=TU',
    ';FREQ=WEEKLY;;BYDAY=TU',
    'FREQ=WEEKLY;BYDAY= TU;X-WR-THING=1',
    'RSCALE=GREGORIAN;FREQ=WEEKLY;BYDAY=TU',
    'FREQ=WEEKLY;BYDAY=TU',
  ])
    assert.ok(linesOf(adopt(file(event('a', ...TIMES, `RRULE:${rule}`)))).includes('RRULE:FREQ=WEEKLY;BYDAY=TU'), rule)
  assert.equal(reasonOf(event('a', ...TIMES, 'RRULE:RSCALE=HEBREW;FREQ=YEARLY')), 'rrule_invalid')
})

test('a title is one line, and blanks in a URL are percent-encoded', () => {
  const titled = adopt(file(event('a', ...TIMES, 'SUMMARY;LANGUAGE=en:One\\n\\n Two\\, \tthree  four')))
  assert.equal(titled.series.details.title, 'One Two, three  four')
  assert.ok(linesOf(titled).includes('SUMMARY;LANGUAGE=en:One Two\\, three  four'))
  const linked = adopt(file(event('a', ...TIMES, 'URL: https://example.org/a b\u00a0c ')))
  assert.equal(linked.series.details.url, 'https://example.org/a%20b%C2%A0c')
  const other = 'URL:tel: 1 2'
  assert.ok(linesOf(adopt(file(event('a', ...TIMES, other)))).includes(other))
})

test('a byte order mark before each of several calendars in one file is ignored', () => {
  const both = `\ufeff${file(event('a', ...TIMES))}\ufeff${file(event('b', ...TIMES))}`
  assert.equal(split(both).events.length, 2)
})

test('of two events under one UID the later is imported, and the earlier is reported', () => {
  const adopted = adopt(file(event('a', ...TIMES, 'SUMMARY:One'), event('a', ...TIMES, 'SUMMARY:Two')))
  assert.equal(adopted.series.details.title, 'Two')
  assert.deepEqual(
    adopted.left.map(({ line, reason }) => [line, reason]),
    [[4, 'uid_repeated']],
  )
})

test('an event that could not be represented is skipped with its reason', () => {
  const daily = [...TIMES, 'RRULE:FREQ=DAILY']
  const edit = (...more: string[]): string => event('a', ...more, 'SUMMARY:B')
  const reasons: [string, ...string[]][] = [
    ['range_unsupported', event('a', ...daily), edit('RECURRENCE-ID;RANGE=THISANDPRIOR:20260715T080000Z', ...TIMES)],
    ['rules_combined', event('a', ...daily, 'RRULE:FREQ=DAILY;BYHOUR=12')],
    ['rules_combined', event('a', ...daily, 'EXRULE:FREQ=DAILY;BYHOUR=12')],
    ['rules_combined', event('a', ...daily, 'EXRULE:FREQ=SECONDLY')],
    ['rules_combined', event('a', ...daily, ...Array<string>(10).fill('EXRULE:FREQ=YEARLY'))],
    ['rrule_invalid', event('a', ...daily, 'EXRULE:FREQ=OFTEN')],
    ['rrule_invalid', event('a', ...daily, 'RRULE:FREQ=OFTEN')],
    ['rrule_invalid', event('a', ...TIMES, 'RRULE:FREQ=SOMETIMES')],
    ['rrule_unsupported', event('a', ...TIMES, 'RRULE:FREQ=DAILY;INTERVAL=1000000')],
    ['rrule_unsupported', event('a', ...TIMES, 'RRULE:FREQ=SECONDLY;COUNT=10001')],
    ['rrule_invalid', event('a', 'DTSTART;VALUE=DATE:20260714', 'RRULE:FREQ=HOURLY')],
    ['dates_unreadable', event('a', ...daily, 'EXDATE:tomorrow')],
    ['dates_out_of_range', event('a', ...daily, 'RDATE:20260713T080000Z')],
    ['dates_out_of_range', event('a', ...daily, 'RDATE:22010713T080000Z')],
    ['too_many_exceptions', event('a', ...daily, `EXDATE:${'20260714T080000Z,'.repeat(10_000)}20260714T080000Z`)],
    ['encoded', event('a', ...TIMES, 'SUMMARY;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9')],
    ['encoded', event('a', ...TIMES, 'DESCRIPTION;ENCODING=b:QUJD')],
    ['times_unreadable', event('a', 'SUMMARY:A')],
    ['times_unreadable', event('a', 'DTSTART:99999101T000000Z')],
    ['times_unreadable', event('a', 'DTSTART:22010101T000000Z')],
    ['times_unreadable', event('a', TIMES[0]!, 'DURATION:P9999999999D')],
    ['times_unreadable', event('a', TIMES[0]!, 'DTEND;TZID=Europe/London:20260714T080000')],
    ['too_long', event('a', TIMES[0]!, 'DURATION:P400D')],
    ['occurrence_unreadable', event('a', ...daily), edit('RECURRENCE-ID:20260715T080000Z', 'DTSTART:soon')],
    ['occurrence_unreadable', event('a', ...daily), edit('RECURRENCE-ID:whenever', ...TIMES)],
    [
      'occurrence_unreadable',
      event('a', ...daily),
      edit('RECURRENCE-ID:20260715T080000Z', 'DTSTART;VALUE=DATE:20260715'),
    ],
    ['unreadable', event('a', ...TIMES, 'A line without a colon')],
    ['unreadable', event('a', ...TIMES, 'SUMMARY;LANGUAGE="en:A')],
  ]
  for (const [reason, ...components] of reasons) assert.equal(reasonOf(...components), reason, components.join('\n'))
  const [never, over] = ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'RRULE:FREQ=DAILY;UNTIL=20260713T000000Z']
  for (const rule of [never, over]) assert.equal(reasonOf(event('a', ...TIMES, rule)), 'taken', rule)
  const long = [`SUMMARY:${'a'.repeat(1_000)}`, `DESCRIPTION:${'a'.repeat(100_000)}`, `LOCATION:${'a'.repeat(1_000)}`]
  assert.equal(reasonOf(event('a', ...TIMES, ...long)), 'taken', 'the limits of JSON are not those of files')
})

test('other components, and events without a valid UID, are reported with their line', () => {
  const { skipped, events } = split(
    file(
      lines('BEGIN:VJOURNAL', 'UID:j', 'END:VJOURNAL'),
      lines('BEGIN:VFREEBUSY', 'END:VFREEBUSY'),
      lines('BEGIN:X-THING', 'END:X-THING'),
      lines('BEGIN:VEVENT', 'SUMMARY:A', 'END:VEVENT'),
      lines('BEGIN:VEVENT', `UID:${'u'.repeat(256)}`, 'END:VEVENT'),
      lines('begin:vevent', 'uid:lower', 'end:vevent'),
    ),
  )
  assert.deepEqual(
    skipped.map(({ part, reason }) => [part.line, reason]),
    [
      [4, 'journal'],
      [7, 'free_busy'],
      [9, 'unknown_component'],
      [11, 'uid_missing'],
      [14, 'uid_too_long'],
    ],
  )
  assert.deepEqual(
    events.map(({ uid }) => uid),
    ['lower'],
  )
})

test('a file is accepted with LF or CRLF, with a byte order mark, with blank lines between', () => {
  const text = file(event('a', ...TIMES, 'SUMMARY:A'))
  const expected = printCalendar(adopt(text).tree)
  for (const other of [text.replaceAll('\r\n', '\n'), `\ufeff${text}`, text.replaceAll('\r\n', '\r\n\r\n')])
    assert.equal(printCalendar(adopt(other).tree), expected)
})

test('F25: a file that is not a calendar is refused as a whole and quickly', () => {
  const one = event('a', ...TIMES, 'SUMMARY:A')
  const problems: [string, string][] = [
    ['there is no calendar', ''],
    ['there is no calendar', 'hello\r\n'],
    ['there is no calendar', '{"not": "this"}'],
    ['there is no calendar', file(one).replaceAll('\r\n', '\r')],
    ['there is no calendar', one],
    ['the end is missing', file(one).slice(0, -16)],
    ['the end is missing', file(one, lines('BEGIN:VEVENT', 'UID:b')).slice(0, -16)],
    ['END does not match BEGIN', file(one, lines('END:VEVENT'))],
    ['a line is too long', file(lines(`X-A:${'a'.repeat(1_100_000)}`), one)],
    ['it is not text', file(one).replace('SUMMARY:A', 'SUMMARY:\0')],
    ['too many lines', file(lines('BEGIN:VEVENT', 'END:VEVENT').repeat(500_000))],
    ['too many lines', within('X-A:1\r\n'.repeat(1_000_000))],
  ]
  for (const [problem, text] of problems) {
    const workedMs = startWork()
    assert.equal(problemOf(text), problem)
    assert.ok(workedMs() < QUICK_MS, problem)
  }
  assert.equal(problemOf(within('X-A:1\r\n'.repeat(40_000)), 1_000), 'too many lines')
})

const within = (text: string): string =>
  file(
    event('before', ...TIMES, 'SUMMARY:A'),
    lines('BEGIN:VEVENT', 'UID:a', 'SUMMARY:Broken') + text + lines('END:VEVENT'),
    event('after', ...TIMES, 'SUMMARY:A'),
  )

test('F25: a hostile component is skipped quickly, and those beside it are found', () => {
  const attachment = `ATTACH;ENCODING=BASE64;VALUE=BINARY:${'a'.repeat(74)}\r\n${` ${'a'.repeat(74)}\r\n`.repeat(20_000)}`
  const unclosed = 'BEGIN:VEVENT\r\nUID:x\r\n'
  const faults: [string, string][] = [
    ['end_missing', 'BEGIN:VALARM\r\n'],
    ['end_missing', 'END:VALARM\r\n'],
    ['end_missing', 'BEGIN:VALARM\r\nEND:ALARM\r\n'],
    ['line_too_long', attachment],
    ['line_too_long', `EXDATE:${'20260714T080000Z,'.repeat(100_000)}\r\n`],
    ['too_many_lines', 'X-A:1\r\n'.repeat(400_000)],
    ['too_many_lines', 'EXDATE:20260714T080000Z\r\n'.repeat(100_000)],
    ['too_many_lines', 'BEGIN:VALARM\r\nEND:VALARM\r\n'.repeat(100_000)],
    ['nested', 'BEGIN:X\r\n'.repeat(10_000)],
    ['nested', unclosed.repeat(100_000)],
    ['nested', (unclosed + 'X-A:1\r\n'.repeat(3_000)).repeat(150)],
  ]
  for (const [reason, text] of faults) {
    const workedMs = startWork()
    const { events, skipped } = split(within(text))
    assert.ok(workedMs() < QUICK_MS, `${reason} ${workedMs()}`)
    assert.deepEqual([skipped[0]?.reason, skipped[0]?.part.uid, skipped[0]?.part.line], [reason, 'a', 11])
    assert.deepEqual(
      new Set(events.map(({ uid }) => uid)),
      new Set(['before', 'after', ...(text.startsWith(unclosed) ? ['x'] : [])]),
    )
  }
})

test('components after one without an end are found, whatever they are', () => {
  const open = lines('BEGIN:VEVENT', 'UID:open', 'SUMMARY:Open')
  const todo = lines('BEGIN:VTODO', 'UID:todo', 'END:VTODO')
  const { events, skipped } = split(file(open, todo, event('b', ...TIMES), open) + file(event('c', ...TIMES)))
  assert.deepEqual(
    events.map(({ uid }) => uid),
    ['b', 'c'],
  )
  assert.deepEqual(
    skipped.map(({ part, reason }) => [part.uid, reason, part.line]),
    [
      ['open', 'end_missing', 4],
      ['open', 'end_missing', 16],
      ['todo', 'todo', 7],
    ],
  )
})

test('F25: hostile lines inside an event cost little and are skipped with it', () => {
  const hostile = [
    `ATTENDEE${';X=1'.repeat(100_000)}:mailto:a@example.org`,
    `ATTENDEE${';X="'.repeat(100_000)}`,
    `RRULE:FREQ=DAILY;BYSECOND=${'0,'.repeat(10_000)}0`,
    `CATEGORIES:${'\\,'.repeat(30_000)}`,
    '__proto__:x',
    'CONSTRUCTOR;PROTOTYPE=1:x',
  ]
  const manyParts = event('a', 'RECURRENCE-ID:1').repeat(2_002)
  const manyDates = `EXDATE:${'20260714T080000,'.repeat(8_000)}`
  for (const text of [manyParts, event('a', ...TIMES, 'RRULE:FREQ=DAILY', ...Array(60).fill(manyDates))]) {
    const [workedMs, parts] = [startWork(), split(file(text))]
    const { left } = importEvent(parts.events[0]!, {
      zone: LONDON,
      visibility: 'private',
      now: NOW,
      findZone: Object.assign(() => LONDON, { defined: () => undefined }),
    })
    assert.deepEqual(
      left.map(({ reason }) => reason),
      ['too_many_exceptions'],
    )
    assert.ok(workedMs() < QUICK_MS)
  }
  for (const line of hostile) {
    const workedMs = startWork()
    adoptAll(file(event('a', ...TIMES, 'SUMMARY:A', line)))
    assert.ok(workedMs() < QUICK_MS, line.slice(0, 40))
  }
  assert.equal(({} as Record<string, unknown>).x, undefined)
})

test('two thousand occurrences of a series may be edited, and a time with nearly too many parameters is parsed again', () => {
  const edited = (count: number): string =>
    file(
      event('a', ...TIMES, 'RRULE:FREQ=DAILY', 'SUMMARY:A'),
      ...Array.from({ length: count }, (_, i) => {
        const day = new Date(Date.UTC(2026, 6, 14 + i)).toISOString().slice(0, 10).replaceAll('-', '')
        return event('a', `RECURRENCE-ID:${day}T080000Z`, `DTSTART:${day}T180000Z`, 'SUMMARY:B')
      }),
    )
  assert.equal(adopt(edited(2_000)).series.overrides.length, 2_000)
  const [left] = adoptAll(edited(2_001)).map((result) => result.left[0]?.reason)
  assert.equal(left, 'too_many_exceptions')
  const start = (params: number): string => `DTSTART${';X=1'.repeat(params)}:20260714T090000`
  const { tree } = adopt(file(event('a', start(999), 'SUMMARY:A')))
  assert.ok(!isParseProblem(parseCalendar(printCalendar(tree))))
  assert.equal(reasonOf(event('a', start(1_000), 'SUMMARY:A')), 'unreadable')
})

test('ten thousand events are split quickly', () => {
  const text = file(...Array.from({ length: 10_000 }, (_, i) => event(`${i}@example.org`, ...TIMES, 'SUMMARY:A')))
  const workedMs = startWork()
  assert.equal(split(text).events.length, 10_000)
  assert.ok(workedMs() < QUICK_MS)
})
