// What calendar programs send that the standard does not allow: stored as sent, and read as it was meant.
import assert from 'node:assert/strict'
import { isCostlyText } from '../../../src/actions/costly-work/costly-writes.ts'
import type { Json } from '../../support/http/api-response.ts'
import { davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { withWorld } from '../../support/world.ts'
import { dataOfObject, eventText, inOwnZone, listJuly, MAIN } from '../support/events.ts'

/** Lines of the VEVENT, and fields of the event that JSON shows. */
const LINES: Record<string, { lines: string[]; shows?: Json; kept?: string }> = {
  'a place with a parameter that is not quoted': {
    lines: ['X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=The "Old" Mill: Bath;X-APPLE-RADIUS=70:geo:51.38,-2.36'],
    kept: 'X-TITLE=The "Old" Mill: Bath',
  },
  'a quote that does not end': { lines: ['X-NOTE;X-BY="Ann:yes'], kept: 'X-NOTE;X-BY="Ann:yes' },
  'a quoted name inside a name': {
    lines: ['ATTENDEE;CN="Ann "Annie" Lee":mailto:ann@example.org'],
    kept: 'CN="Ann "Annie" Lee"',
  },
  'a parameter without a value': { lines: ['X-NOTE;X-FLAG:yes'], kept: 'X-NOTE;X-FLAG:yes' },
  'a long title': { lines: [`SUMMARY:${'t'.repeat(300)}`], shows: { title: 't'.repeat(300) } },
  'a long description': {
    lines: [`DESCRIPTION:needle ${'d'.repeat(50_000)}`],
    shows: { description: `needle ${'d'.repeat(50_000)}` },
  },
  'a long location': { lines: [`LOCATION:${'l'.repeat(600)}`], shows: { location: 'l'.repeat(600) } },
  'a long category': { lines: [`CATEGORIES:${'c'.repeat(100)},Other`], shows: { category: 'c'.repeat(64) } },
  'a long web address': { lines: [`URL:https://example.org/${'u'.repeat(3_000)}`], shows: { url: null } },
  'control characters': {
    lines: ['DESCRIPTION:one\u000btwo\u0007 three', 'SUMMARY:a\u0008b', 'X-NOTE:a\u0001b'],
    shows: { description: 'one\ntwo three', title: 'ab' },
    kept: 'X-NOTE:a\u0001b',
  },
  'characters that end a line for some programs': { lines: ['X-NOTE:a\u000b\u0001b'], kept: 'X-NOTE:a \u0001b' },
  'a lone carriage return': { lines: ['SUMMARY:one\rtwo'], shows: { title: 'one two' } },
  'a leap second': {
    lines: ['DTSTART:20261231T235960Z', 'DTEND:20270101T010000Z'],
    shows: { start: '2026-12-31T23:59:59+00:00' },
  },
  'a component of an unknown kind inside the event': {
    lines: ['BEGIN:X-LEGROUP', 'X-NOTE:inside', 'END:X-LEGROUP'],
    kept: 'X-NOTE:inside',
  },
  'parameter names in lower case': {
    lines: ['DTSTART;tzid=Europe/Paris:20260714T110000', 'DTEND;tzid=Europe/Paris:20260714T120000'],
    shows: { start: '2026-07-14T11:00:00+02:00' },
    kept: 'TZID:Europe/Paris',
  },
}

forEachEngine('lines that calendar programs write in their own way are kept and understood', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    for (const [index, [habit, { lines, shows, kept }]] of Object.entries(LINES).entries()) {
      const path = `${MAIN}h${index}.ics`
      const text = eventText(`h${index}`, ...lines)
      const put = await dav.put(path, text)
      assert.equal(put.status, 201, `${habit}: ${put.text}`)
      assert.equal((await dav.get(path)).text, text, habit)
      const { body } = await writer.get('/events?from=2026-07-01&to=2027-01-31')
      const { id } = body.data.find((event: Json) => event.uid === `h${index}`)
      const event = (await writer.get(`/events/${id}`)).body.data
      for (const [field, value] of Object.entries(shows ?? {})) assert.equal(event[field], value, habit)
      const patched = await writer.patch(`/events/${id}`, { status: 'tentative', version: event.version })
      assert.equal(patched.status, 200, `${habit}: ${patched.text}`)
      const after = (await dav.get(path)).text.replaceAll('\r\n ', '')
      for (const line of [kept ?? [], 'STATUS:TENTATIVE'].flat()) assert.ok(after.includes(line), `${habit}: ${after}`)
      for (const [field, value] of Object.entries(shows ?? {}))
        assert.equal(patched.body.data[field], value, `${habit}, after a change`)
      const { etag: _, exceptions: __, ...whole } = patched.body.data
      const replaced = await writer.put(`/events/${id}`, { ...whole, status: 'confirmed' })
      assert.equal(replaced.status, 200, `${habit}: ${replaced.text}`)
      for (const [field, value] of Object.entries(shows ?? {}))
        assert.equal(replaced.body.data[field], value, `${habit}, put back whole`)
    }
    const found = await writer.get('/events?q=needle&from=2026-07-01&to=2026-07-31')
    assert.equal(found.body.data.length, 1)
  }),
)

forEachEngine('a text longer than JSON accepts can be sent back as it was read, and no other', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const texts = { title: 't'.repeat(300), description: ` ${'d'.repeat(20_000)} `, location: 'l'.repeat(600) }
    const lines = [`SUMMARY:${texts.title}`, `DESCRIPTION:${texts.description}`, `LOCATION:${texts.location}`]
    const put = await davOf(writer).put(`${MAIN}long.ics`, eventText('long', ...lines, 'RRULE:FREQ=DAILY;COUNT=2'))
    assert.equal(put.status, 201)
    const [{ id }] = (await writer.get('/events?from=2026-07-01&to=2026-07-31')).body.data
    const { etag: _, ...whole } = (await writer.get(`/events/${id}`)).body.data
    assert.equal(whole.description, texts.description)
    const day = `/events/${id}/occurrences/20260715T090000`
    const longer = { title: `${texts.title}t`, description: `${texts.description}d`, location: `${texts.location}l` }
    const token = await writer.post('/auth/tokens', { name: 'script', scopes: ['events:write'] })
    const writeOnly = world.with({ authorization: `Bearer ${token.body.data.token}` })
    const refused = [
      await writer.put(`/events/${id}`, { ...whole, ...longer }),
      await writer.patch(`/events/${id}`, { ...longer, version: whole.version }),
      await writer.patch(day, { ...longer, version: whole.version }),
      await writer.post('/events', { ...texts, start: whole.start, end: whole.end }),
      // Otherwise it would learn that it guessed the text.
      await writeOnly.patch(`/events/${id}`, { ...texts, version: whole.version }),
      await writeOnly.patch(day, { ...texts, version: whole.version }),
    ]
    for (const { status, body, text } of refused) {
      const fields = body.error.details.fields.map(({ field, code }: Json) => `${field} ${code}`).sort()
      assert.deepEqual(
        [status, fields],
        [422, ['/description too_long', '/location too_long', '/title too_long']],
        text,
      )
    }
    const read = async () => (await writer.get(`/events/${id}`)).body.data
    assert.equal((await writer.put(`/events/${id}`, { ...whole, status: 'tentative' })).status, 200)
    const patch = { ...texts, status: 'confirmed' }
    assert.equal((await writer.patch(`/events/${id}`, { ...patch, version: (await read()).version })).status, 200)
    const edited = await writer.patch(day, { ...texts, status: 'cancelled', version: (await read()).version })
    assert.equal(edited.status, 200, edited.text)
    for (const shown of [await read(), edited.body.data])
      for (const [field, text] of Object.entries(texts)) assert.equal(shown[field], text)
  }),
)

forEachEngine('a line folded inside a character is joined, and the client is told to read it again', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const text = eventText('fold', 'SUMMARY:caf\u00e9 \u{1f3b5}')
    const bytes = Buffer.from(text).toString('latin1').replace('\u00c3\u00a9', '\u00c3\r\n \u00a9')
    const split = bytes.replace('\u00f0\u009f\u008e\u00b5', '\u00f0\u009f\r\n\t\u008e\n \u00b5')
    const put = await writer.send({
      method: 'PUT',
      url: `${MAIN}fold.ics`,
      headers: { 'content-type': 'text/calendar' },
      payload: Buffer.from(split, 'latin1'),
    })
    assert.deepEqual([put.status, put.headers.etag], [201, undefined])
    assert.equal((await davOf(writer).get(`${MAIN}fold.ics`)).text, text)
    const shown = await writer.send({
      method: 'PUT',
      url: `${MAIN}shown.ics`,
      headers: { 'content-type': 'text/calendar', prefer: 'return=representation' },
      payload: Buffer.from(split.replace('UID:fold', 'UID:shown'), 'latin1'),
    })
    assert.equal(shown.status, 201)
    assert.ok(shown.headers.etag)
    assert.equal(shown.text, text.replace('UID:fold', 'UID:shown'))
  }),
)

forEachEngine('other lines and components of the VCALENDAR are kept through a change by JSON', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const own = ['NAME:Club', 'COLOR:teal', 'X-WR-CALNAME:BEGIN:VEVENT', 'X-WR-RELCALID:7']
    const unknown = ['BEGIN:X-POLL', 'UID:other', 'BEGIN:VEVENT', 'UID:inner', 'END:VEVENT', 'END:X-POLL']
    const zoned = ['DTSTART;TZID=Europe/Paris:20260714T110000', 'DTEND;TZID=Europe/Paris:20260714T120000']
    const text = eventText('frame', ...zoned)
      .replace('BEGIN:VEVENT', [...own, ...unknown, 'BEGIN:VEVENT'].join('\r\n'))
      .replace('VERSION:2.0', 'VERSION:2.0\r\nX-CALENDARSERVER-ACCESS:PRIVATE')
    const path = `${MAIN}frame.ics`
    const put = await dav.put(path, text)
    assert.equal(put.status, 201, put.text)
    assert.equal((await dav.get(path)).text, text)
    const [event] = (await writer.get('/events?from=2026-07-01&to=2026-07-31')).body.data
    assert.equal(event.visibility, 'private')
    const { status } = await writer.patch(`/events/${event.id}`, { visibility: 'public', version: event.version })
    assert.equal(status, 200)
    const after = (await dav.get(path)).text
    for (const part of [`${own.join('\r\n')}\r\nBEGIN:VTIMEZONE`, `END:VEVENT\r\n${unknown.join('\r\n')}\r\n`])
      assert.ok(after.includes(part), after)
    assert.doesNotMatch(after, /X-CALENDARSERVER-ACCESS/)
    assert.equal((await dav.put(path, after, { 'if-match': (await dav.get(path)).headers.etag as string })).status, 204)
    assert.equal(
      (await dav.put(`${MAIN}none.ics`, text.replace(/BEGIN:VEVENT\r\nUID:frame[\s\S]*?END:VEVENT\r\n/, ''))).status,
      403,
    )
  }),
)

forEachEngine('a new location replaces the place and coordinates that a program stored with the old one', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const places = [
      'LOCATION:Old hall',
      'GEO:51.38;-2.36',
      'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="Old hall":geo:51.38,-2.36',
      'BEGIN:VLOCATION',
      'UID:p1',
      'NAME:Old hall',
      'END:VLOCATION',
    ]
    await dav.put(`${MAIN}place.ics`, eventText('place', ...places))
    const [event] = (await writer.get('/events?from=2026-07-01&to=2026-07-31')).body.data
    const change = async (patch: Json): Promise<string> => {
      const { version } = (await writer.get(`/events/${event.id}`)).body.data
      assert.equal((await writer.patch(`/events/${event.id}`, { ...patch, version })).status, 200)
      return (await dav.get(`${MAIN}place.ics`)).text
    }
    for (const line of places) assert.ok((await change({ title: `Not ${line.length}` })).includes(line), line)
    const moved = await change({ location: 'New hall' })
    assert.match(moved, /\r\nLOCATION:New hall\r\n/)
    assert.doesNotMatch(moved, /Old hall|GEO|VLOCATION/)
  }),
)

const [OWN_START, OWN_END] = ['DTSTART;TZID=Own:20260728T100000', 'DTEND;TZID=Own:20260728T110000']

forEachEngine('several rules are added together, and an exclusion rule takes its dates away', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const rules = [
      'RRULE:FREQ=DAILY;COUNT=3',
      'RRULE:FREQ=WEEKLY',
      'RDATE:20260720T090000Z',
      'EXDATE:20260715T090000Z',
      'EXRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,MO',
    ]
    const text = eventText('rules', ...rules)
    const put = await dav.put(`${MAIN}rules.ics`, text)
    assert.equal(put.status, 201, put.text)
    assert.equal((await dav.get(`${MAIN}rules.ics`)).text, text)
    // Tuesdays from the 14th; the rule takes away the 14th and 28th, and Monday the 27th, which was not there.
    const expected = ['16T09:00 Meeting', '20T09:00 Meeting', '21T09:00 Meeting']
    assert.deepEqual(await listJuly(writer), expected)
    const [{ id }] = (await writer.get('/events?from=2026-07-01&to=2026-07-31')).body.data
    const { version, rrule } = (await writer.get(`/events/${id}`)).body.data
    assert.equal(rrule, 'FREQ=WEEKLY')
    assert.equal((await writer.patch(`/events/${id}`, { title: 'Class', version })).status, 200)
    assert.deepEqual(
      await listJuly(writer),
      expected.map((line) => line.replace('Meeting', 'Class')),
    )
    assert.doesNotMatch((await dav.get(`${MAIN}rules.ics`)).text, /EXRULE/)
    const later = (await writer.get('/events?from=2030-07-01&to=2030-07-31&timezone=UTC')).body.data
    assert.deepEqual(
      later.map(({ start }: Json) => start.slice(8, 10)),
      ['02', '16', '30'],
      'every other Tuesday',
    )
    assert.equal((await dav.send('DELETE', `${MAIN}rules.ics`)).status, 204)
    const [over, never] = ['FREQ=DAILY;UNTIL=20260701T000000Z', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30']
    const refusal = async (...more: string[]): Promise<string> =>
      (await dav.put(`${MAIN}over.ics`, eventText('over', ...more))).text
    assert.equal(await refusal(`RRULE:${over}`, 'RRULE:FREQ=WEEKLY;COUNT=2', `RRULE:${never}`, `EXRULE:${over}`), '')
    assert.deepEqual(
      await listJuly(writer),
      ['14T09:00 Meeting', '21T09:00 Meeting'],
      'rules without dates add nothing',
    )
    const odd = eventText('odd', OWN_START, OWN_END, `RRULE:${over}`, 'RRULE:FREQ=WEEKLY;COUNT=2')
    assert.equal((await dav.put(`${MAIN}odd.ics`, inOwnZone(odd))).status, 201)
    assert.deepEqual((await listJuly(writer)).slice(2), ['28T08:23 Meeting'])
  }),
)

forEachEngine('an event whose rules have no dates takes place once', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const [over, never] = ['RRULE:FREQ=DAILY;UNTIL=20260701T000000Z', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30']
    const second = 'RRULE:FREQ=DAILY;UNTIL=20260714T085959Z'
    for (const lines of [[over], [never], [second], [over, never], [over, 'EXRULE:FREQ=WEEKLY;BYDAY=WE']]) {
      const text = eventText('over', ...lines)
      const put = await dav.put(`${MAIN}over.ics`, text)
      assert.equal(put.status, 201, `${lines}: ${put.text}`)
      assert.equal((await dav.get(`${MAIN}over.ics`)).text, text)
      assert.deepEqual(await listJuly(writer), ['14T09:00 Meeting'], String(lines))
      const [{ id, recurring }] = (await writer.get('/events?from=2026-07-01&to=2026-07-31')).body.data
      assert.equal(recurring, false)
      assert.equal((await writer.patch(`/events/${id}`, { title: 'Class', version: 1 })).status, 200)
      assert.doesNotMatch((await dav.get(`${MAIN}over.ics`)).text, /RRULE/)
      assert.equal((await dav.send('DELETE', `${MAIN}over.ics`)).status, 204)
    }
    const dates = eventText('over', over, 'RDATE:20260720T090000Z')
    assert.equal((await dav.put(`${MAIN}over.ics`, dates)).status, 201)
    assert.deepEqual(await listJuly(writer), ['14T09:00 Meeting', '20T09:00 Meeting'], 'with extra dates on those too')
    const odd = inOwnZone(eventText('odd', OWN_START, OWN_END, over))
    assert.equal((await dav.put(`${MAIN}odd.ics`, odd)).status, 201)
    assert.deepEqual((await listJuly(writer)).slice(2), ['28T08:23 Meeting'])
  }),
)

forEachEngine('a change of this and all future occurrences is shown on each of them', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const edit = (id: string, ...more: string[]): string =>
      ['BEGIN:VEVENT', 'UID:range', 'DTSTAMP:20260701T000000Z', `RECURRENCE-ID${id}`, ...more, 'END:VEVENT', ''].join(
        '\r\n',
      )
    const edits = [
      edit(';RANGE=THISANDFUTURE:20260716T090000Z', 'DTSTART:20260716T110000Z', 'SUMMARY:Later'),
      edit(':20260718T090000Z', 'DTSTART:20260718T090000Z', 'SUMMARY:Once'),
      edit(';RANGE=THISANDFUTURE:20260719T090000Z', 'DTSTART:20260720T080000Z', 'SUMMARY:Next day'),
    ]
    const text = eventText('range', 'RRULE:FREQ=DAILY;COUNT=7', 'EXDATE:20260717T090000Z').replace(
      'END:VCALENDAR',
      `${edits.join('')}END:VCALENDAR`,
    )
    const put = await dav.put(`${MAIN}range.ics`, text)
    assert.equal(put.status, 201, put.text)
    assert.equal((await dav.get(`${MAIN}range.ics`)).text, text)
    assert.deepEqual(await listJuly(writer), [
      '14T09:00 Meeting',
      '15T09:00 Meeting',
      '16T11:00 Later',
      '18T09:00 Once',
      '20T08:00 Next day',
      '21T08:00 Next day',
    ])
    const once = edit(':20260718T090000Z', 'DTSTART:20260718T090000Z', 'SUMMARY:Once')
    const newer = edit(
      ';RANGE=THISANDFUTURE:20260718T090000Z',
      'DTSTART:20260718T120000Z',
      'SUMMARY:Newer',
      'SEQUENCE:5',
    )
    const older = edit(
      ';RANGE=THISANDFUTURE:20260718T090000Z',
      'DTSTART:20260718T150000Z',
      'SUMMARY:Older',
      'SEQUENCE:2',
    )
    const twice = eventText('range', 'RRULE:FREQ=DAILY;COUNT=7')
    const allOfJuly = '<C:expand start="20260701T000000Z" end="20260801T000000Z"/>'
    for (const [edits, first] of [
      [[newer, older], '18T12:00 Newer'],
      [[newer, older, once.replace('SUMMARY', 'SEQUENCE:6\r\nSUMMARY')], '18T09:00 Once'],
    ] as const) {
      const both = twice.replace('END:VCALENDAR', `${edits.join('')}END:VCALENDAR`)
      assert.equal((await dav.put(`${MAIN}range.ics`, both, { 'if-match': '*' })).status, 204)
      assert.deepEqual((await listJuly(writer)).slice(4), [first, '19T12:00 Newer', '20T12:00 Newer'])
      const titles = (await dataOfObject(dav, 'range.ics', allOfJuly)).match(/^SUMMARY.*$/gm)!
      assert.deepEqual(titles.slice(4), [`SUMMARY:${first.slice(9)}`, 'SUMMARY:Newer', 'SUMMARY:Newer'])
    }
    assert.equal((await dav.put(`${MAIN}range.ics`, text, { 'if-match': '*' })).status, 204)
    const twoDays = 'start="20260720T000000Z" end="20260722T000000Z"'
    const expanded = await dataOfObject(dav, 'range.ics', `<C:expand ${twoDays}/>`)
    assert.deepEqual(expanded.match(/^(?:RECURRENCE-ID|DTSTART|SUMMARY).*$/gm), [
      ...['RECURRENCE-ID:20260719T090000Z', 'DTSTART:20260720T080000Z', 'SUMMARY:Next day'],
      ...['RECURRENCE-ID:20260720T090000Z', 'DTSTART:20260721T080000Z', 'SUMMARY:Next day'],
    ])
    const limited = await dataOfObject(dav, 'range.ics', `<C:limit-recurrence-set ${twoDays.replace('20T', '21T')}/>`)
    assert.deepEqual(limited.match(/^SUMMARY.*$/gm), ['SUMMARY:Meeting', 'SUMMARY:Later', 'SUMMARY:Next day'])
    const [{ id }] = (await writer.get('/events?from=2026-07-01&to=2026-07-31')).body.data
    const { version } = (await writer.get(`/events/${id}`)).body.data
    assert.equal((await writer.patch(`/events/${id}`, { location: 'Hall', version })).status, 200)
    assert.doesNotMatch((await dav.get(`${MAIN}range.ics`)).text, /RANGE/)
    assert.ok(isCostlyText(text) && !isCostlyText(eventText('plain', 'RRULE:FREQ=DAILY')))
    const long = `DESCRIPTION:${'d'.repeat(1_000)}`
    const endless = text.replace(';COUNT=7', '').replaceAll('UID:range', 'UID:endless')
    const offRule = endless.replaceAll('endless', 'off').replace('FREQ=DAILY', 'FREQ=MONTHLY;BYDAY=-1SU')
    const heavy = endless.replaceAll('endless', 'heavy').replaceAll('SUMMARY:Next day', `SUMMARY:Next day\r\n${long}`)
    for (const [uid, sent] of Object.entries({ off: offRule, heavy })) {
      assert.equal((await dav.put(`${MAIN}${uid}.ics`, sent)).status, 201)
      const stored = (await writer.get('/events')).body.data.find((event: Json) => event.uid === uid)
      assert.equal((await writer.patch(`/events/${stored.id}`, { location: 'Hall', version: 1 })).status, 200)
      const { text: own, headers } = await dav.get(`${MAIN}${uid}.ics`)
      assert.equal((await dav.put(`${MAIN}${uid}.ics`, own, { 'if-match': `${headers.etag}` })).status, 204, uid)
      assert.equal((await dav.send('DELETE', `${MAIN}${uid}.ics`)).status, 204)
    }
    const farOf = async (sent: string): Promise<string[]> => {
      assert.equal((await dav.put(`${MAIN}far.ics`, sent)).status, 201)
      const { body } = await writer.get('/events?from=2029-04-09&to=2029-04-11&timezone=UTC')
      assert.equal((await dav.send('DELETE', `${MAIN}far.ics`)).status, 204)
      return body.data.map(({ start, title }: Json) => `${start.slice(8, 16)} ${title}`)
    }
    const periods = ['20260801T093000Z/PT2H', '20260802T093000Z/PT3H'].map((period) => `RDATE;VALUE=PERIOD:${period}`)
    const far = ['09T08:00 Next day', '10T08:00 Next day', '11T08:00 Next day', '11T09:00 Meeting']
    assert.deepEqual(await farOf(endless), far, 'a thousand dates on')
    assert.deepEqual(await farOf(heavy), far, 'the length of the text does not change how many')
    assert.equal((await farOf(endless.replace('RRULE', [...periods, 'RRULE'].join('\r\n')))).length, 4)
    const tooLong = heavy.replaceAll('SUMMARY:Next day', `SUMMARY:${'Next day '.repeat(200)}`)
    assert.match((await dav.put(`${MAIN}far.ics`, tooLong)).text, /larger than/)
  }),
)
