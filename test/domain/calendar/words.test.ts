// Text fields of an event: normalised on input, refused where a database or feed could not hold them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkPatch } from '../../../src/domain/calendar/update.ts'
import { haveMoreWordsInSteps, searchTextOf, wordsOf } from '../../../src/domain/calendar/words.ts'
import { cleanText, foldText } from '../../../src/domain/plain-text.ts'
import { runSteps } from '../../../src/domain/steps.ts'
import { anyText } from '../../support/any-text.ts'
import { create, patch, problems } from './series.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 2009)

test('text is stored in one Unicode normal form and trimmed', () => {
  const { details } = create({
    title: '  Cafe\u0301  ',
    description: '\n\tfirst\r\nsecond\rthird  ',
    location: ' Saal ',
    category: '\u00a0Music\u3000',
  })
  assert.equal(details.title, 'Caf\u00e9')
  assert.equal(details.description, 'first\nsecond\nthird')
  assert.equal(details.location, 'Saal')
  assert.equal(details.category, 'Music')
})

test('empty and absent text are the same', () => {
  const empty = create({ description: '', location: '  ', category: '\n', url: '' }).details
  const absent = create({ description: null }).details
  assert.deepEqual(empty, absent)
  assert.deepEqual(absent, {
    title: 'Choir',
    description: null,
    location: null,
    category: null,
    url: null,
    status: 'confirmed',
  })
})

test('a title must be one non-empty line', () => {
  assert.deepEqual(
    problems(() => create({ title: '' })),
    ['/title too_short'],
  )
  assert.deepEqual(
    problems(() => create({ title: ' \n\t ' })),
    ['/title too_short'],
  )
  assert.deepEqual(
    problems(() => create({ title: 'one\ntwo' })),
    ['/title invalid_format'],
  )
  assert.deepEqual(
    problems(() => create({ title: 'one\ttwo' })),
    ['/title invalid_format'],
  )
})

test('control characters and lone surrogates are refused in every field', () => {
  const hostile = [
    '\0',
    '\u0008',
    '\u000b',
    '\u001b[31m',
    '\u007f',
    '\u0085',
    '\u009f',
    '\u2028',
    '\u2029',
    '\ud83d',
    '\udc00',
  ]
  for (const sign of hostile) {
    for (const field of ['title', 'description', 'location', 'category'] as const) {
      assert.deepEqual(
        problems(() => create({ [field]: `a${sign}b` })),
        [`/${field} invalid_format`],
        JSON.stringify(sign),
      )
    }
    assert.deepEqual(
      problems(() => create({ url: `https://example.org/a${sign}b` })),
      ['/url invalid_format'],
    )
  }
})

test('emoji, right-to-left text and all other scripts are kept', () => {
  const title = '🎉 חגיגה \u{1f468}\u200d\u{1f469}\u200d\u{1f467} ﬁn <b>"x"</b> \\n ; , :'
  assert.equal(create({ title }).details.title, title.normalize('NFC'))
  assert.equal(create({ description: 'a\tb\n\nc' }).details.description, 'a\tb\n\nc')
})

test('an address must be http or https', () => {
  for (const url of [
    'https://example.org/choir?a=1&b=2#c',
    'http://localhost:8080/',
    'HTTPS://EXAMPLE.ORG',
    'https://xn--bcher-kva.example',
  ]) {
    assert.equal(create({ url }).details.url, url)
  }
  const schemes = [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'mailto:a@example.org',
    'ftp://example.org/',
    'file:///etc/passwd',
    'vbscript:x',
    'http:example.org',
    'https:/example.org',
  ]
  for (const url of schemes)
    assert.deepEqual(
      problems(() => create({ url })),
      ['/url url_scheme'],
      url,
    )
  const nonsense = [
    'example.org',
    '//example.org',
    'https://',
    'https://exa mple.org',
    'https://example.org/a b',
    'https://example.org/\nX',
    'java\nscript:alert(1)',
    'http://[::1',
  ]
  for (const url of nonsense)
    assert.deepEqual(
      problems(() => create({ url })),
      ['/url invalid_format'],
      JSON.stringify(url),
    )
})

test('all problems are reported at once', () => {
  assert.deepEqual(
    problems(() => create({ title: '', description: '\0', url: 'javascript:x', timezone: 'Mars/Olympus' })),
    ['/title too_short', '/description invalid_format', '/url url_scheme', '/timezone timezone_unknown'],
  )
  assert.deepEqual(
    problems(() => create({ title: '\0', rrule: 'FREQ=NEVER', rdates: ['x'], exdates: ['y', '20260714T193000'] })),
    ['/title invalid_format', '/rrule rrule_invalid', '/rdates/0 invalid_format', '/exdates/0 invalid_format'],
  )
})

test('a patch is validated before any event is read', () => {
  assert.deepEqual(
    problems(() => checkPatch({ title: null, start: null, end: null })),
    ['/title required', '/start required', '/end required'],
  )
  assert.deepEqual(
    problems(() => checkPatch({ start: 'soon', end: '2026-02-30' })),
    ['/start invalid_format', '/end invalid_format'],
  )
  assert.deepEqual(
    problems(() => checkPatch({ timezone: 'Mars/Olympus', rrule: 'FREQ=X', url: 'ftp://x/' })),
    ['/timezone timezone_unknown', '/rrule rrule_invalid', '/url url_scheme'],
  )
  checkPatch({})
  checkPatch({ description: null, timezone: null, rrule: null, title: 'Choir' })
})

test('a patch changes the fields it mentions, clears those set to null, and keeps the rest', () => {
  const before = create({
    description: 'Bring a friend',
    location: 'Main hall',
    category: 'Music',
    status: 'tentative',
  })
  const { details } = patch(before, { title: 'Band', location: null, status: null }).series
  assert.deepEqual(details, { ...before.details, title: 'Band', location: null, status: 'confirmed' })
})

test('stored text that would be refused here does not block a patch, and may be sent back', () => {
  const before = create()
  const odd = { ...before, details: { ...before.details, title: '', url: 'mailto:choir@example.org' } }
  const after = patch(odd, { location: 'Main hall' }).series.details
  assert.deepEqual(after, { ...odd.details, location: 'Main hall' })
  const { title, url } = odd.details
  assert.deepEqual(patch(odd, { title, url, location: 'Main hall' }).series.details, after)
  assert.deepEqual(
    problems(() => patch(odd, { title: ' ', url: `${url}.uk` })),
    ['/title too_short', '/url url_scheme'],
  )
})

test('visibility, status and transparency have defaults, and null restores them', () => {
  const plain = create()
  assert.deepEqual([plain.visibility, plain.details.status, plain.transparency], ['private', 'confirmed', 'opaque'])
  const loud = create({ visibility: 'public', status: 'cancelled', transparency: 'transparent' })
  assert.deepEqual([loud.visibility, loud.details.status, loud.transparency], ['public', 'cancelled', 'transparent'])
  const back = patch(loud, { visibility: null, status: null, transparency: null }).series
  assert.deepEqual([back.visibility, back.details.status, back.transparency], ['private', 'confirmed', 'opaque'])
})

test(`normalising is idempotent (DAYBOOK_SEED=${SEED})`, () => {
  fc.assert(
    fc.property(anyText({ size: 'medium' }), (text) => {
      const cleaned = cleanText(text)
      if (cleaned === undefined) return
      assert.equal(cleanText(cleaned), cleaned)
      assert.ok(cleaned.isWellFormed())
      assert.doesNotMatch(cleaned, /[^\P{Cc}\n\t]/u)
    }),
    { seed: SEED, numRuns: 3_000 },
  )
})

test('words are runs of letters and digits, folded, each once; unspaced scripts give one word per character', () => {
  assert.deepEqual(wordsOf('Süd-Halle 12b, süd/HALLE_x'), ['sud', 'halle', '12b', 'x'])
  assert.deepEqual(wordsOf('会議室B ΣΑΣ'), ['会', '議', '室', 'b', 'σασ'])
  assert.deepEqual(wordsOf(' %_\\ 😀 — '), [])
  assert.deepEqual(
    wordsOf('a'.repeat(95)).map(({ length }) => length),
    [40, 15],
    'no word is longer than an index takes, and what is looked for is cut alike',
  )
  assert.ok(wordsOf('\u{10400}'.repeat(100)).every((word) => word.isWellFormed() && Buffer.byteLength(word) <= 160))
})

test('words of every field are counted, including compatibility characters that decompose into several', () => {
  const { details } = create({ title: 'A' })
  const haveMore = (text: Partial<typeof details>, most: number): boolean =>
    runSteps(haveMoreWordsInSteps([{ ...details, ...text }], most))
  assert.deepEqual([haveMore({ location: 'b c d' }, 3), haveMore({ location: 'b c d' }, 4)], [true, false])
  assert.deepEqual([haveMore({ category: 'b c' }, 2), haveMore({ category: 'b c' }, 3)], [true, false])
  assert.deepEqual([haveMore({ title: '㍿ ㌖' }, 5), haveMore({ title: '㍿ ㌖' }, 20)], [true, false])
})

test('search text has a space before each word', () => {
  const { details } = create({ title: 'Choir, choir!', location: 'Hall 1' })
  assert.equal(searchTextOf(details), ' choir hall 1')
  assert.equal(searchTextOf(create({ title: '—' }).details), '')
})

test('search ignores case, accents and the width of letters', () => {
  assert.equal(foldText('ÉCOLE'), foldText('e\u0301cole'))
  assert.equal(foldText('Ｃｈｏｉｒ'), 'choir')
  const text = searchTextOf(create({ title: 'Über', description: 'Ärger', location: 'Øst', category: 'Müsik' }).details)
  for (const word of ['uber', 'arger', 'musik']) assert.ok(text.includes(word), word)
})
