// Fast path of the XML parser: gives the trees and errors of the full parser, and reads what programs send.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAnyXml, parseXml, parseXmlInSteps, type XmlElement } from '../../../src/caldav/xml/parse.ts'
import { runSteps } from '../../../src/domain/steps.ts'
import { AppError } from '../../../src/errors.ts'
import { DECLARED } from '../../support/http/dav.ts'
import { REQUESTS } from '../support/appendix-b.ts'
import { changedDocument, listOddDocuments, xmlDocument } from '../support/arbitrary-xml.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 2518)

/** Attributes in order, which a comparison of maps would not look at. */
type TreeShape = [ns: string, name: string, attributes: [string, string][], children: (TreeShape | string)[]]

const shapeOf = ({ ns, name, attributes, children }: XmlElement): TreeShape => [
  ns,
  name,
  [...attributes],
  children.map((child) => (typeof child === 'string' ? child : shapeOf(child))),
]

function outcome(read: () => XmlElement): TreeShape | { code: string; message: string } {
  try {
    return shapeOf(read())
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    return { code: error.code, message: error.message }
  }
}

const assertSame = (body: string, maxNodes?: number): void =>
  assert.deepEqual(
    outcome(() => parseXml(body, maxNodes)),
    outcome(() => runSteps(parseAnyXml(body, maxNodes))),
    JSON.stringify(body.slice(0, 2_000)),
  )

/** The full parser yields at least once before it returns a tree. */
const isReadAtOnce = (body: string): boolean => parseXmlInSteps(body).next().done === true

const nodeLimit = fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.integer({ min: 3, max: 30 }))

test(`any document gives the tree or the error of the full parser (DAYBOOK_SEED=${SEED})`, () => {
  const counts = { atOnce: 0, refused: 0, all: 0 }
  fc.assert(
    fc.property(xmlDocument, nodeLimit, (body, maxNodes) => {
      assertSame(body, maxNodes)
      counts.all += 1
      if ('code' in outcome(() => parseXml(body))) counts.refused += 1
      else if (isReadAtOnce(body)) counts.atOnce += 1
    }),
    { seed: SEED, numRuns: 2_500 },
  )
  // Otherwise one of the two ways was hardly compared.
  assert.ok(counts.atOnce > counts.all / 5 && counts.refused > counts.all / 5, JSON.stringify(counts))
})

test(`a document with changed characters gives the tree or the error of the full parser (DAYBOOK_SEED=${SEED})`, () => {
  fc.assert(
    fc.property(changedDocument, nodeLimit, (body, maxNodes) => assertSame(body, maxNodes)),
    { seed: SEED, numRuns: 2_500 },
  )
})

test('a document with one unusual part gives the tree or the error of the full parser', () => {
  const odd = listOddDocuments()
  assert.ok(odd.length > 200)
  for (const body of odd) assertSame(body)
})

test('a document at a limit of the full parser, or just beyond it, is read or refused as there', () => {
  const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth)
  const attributes = (count: number): string => Array.from({ length: count }, (_, i) => ` n${i}="1"`).join('')
  const declarations = (count: number): string => Array.from({ length: count }, (_, i) => ` xmlns:n${i}="u"`).join('')
  for (const by of [-1, 0, 1, 2]) {
    const long = 'x'.repeat(1_000 + by)
    for (const body of [
      nested(64 + by),
      `<a${attributes(200 + by)}/>`,
      `<a${declarations(200 + by)}/>`,
      `<a>${Array.from({ length: 200 + by }, (_, i) => `<b n${i}="1"/>`).join('')}</a>`,
      `<${long}/>`,
      `<a ${long}="1"/>`,
      `<a xmlns="${long}"/>`,
      `<p:a xmlns:p="${long}"/>`,
      `<a xmlns:${long}="u"/>`,
      `<a>${'<b/>'.repeat(2_999 + by)}</a>`,
      `<a>${'<b/>'.repeat(9_999 + by)}</a>`,
      `<a>${'<b c="d"/>'.repeat(4_999 + by)}</a>`,
      `<a>${'x'.repeat(65_529 + by)}</a>`,
    ])
      assertSame(body)
    assertSame('<a b="c"><d/><e xmlns:f="g"/></a>', 5 + by)
  }
})

test('tags and characters of two units across the parts of the full parser change nothing', () => {
  for (let shift = 0; shift < 60; shift++)
    for (const part of ['<D:href a="é">\r\n/a b\r\n</D:href>\r\n', '<D:a xmlns:D="urn:x" D:b=\'c\'/>\r\n'])
      assertSame(`<D:a xmlns:D="DAV:">${'x'.repeat(shift)}${part.repeat(300).slice(0, 10 * 1_024)}</D:a>`)
})

const hrefs = (count: number, after = ''): string =>
  Array.from({ length: count }, (_, i) => `<D:href>/caldav/calendars/main/${i}%20b.ics</D:href>${after}`).join('')

const DATA = '<D:prop><D:getetag/><C:calendar-data/></D:prop>'

const USUAL: Record<string, string> = {
  ...REQUESTS,
  'a multiget on one line': `<C:calendar-multiget ${DECLARED}>${DATA}${hrefs(100)}</C:calendar-multiget>`,
  'a multiget on many lines': `<?xml version="1.0" encoding="utf-8"?>\r\n<C:calendar-multiget ${DECLARED}>\r\n  ${DATA}\r\n  ${hrefs(100, '\r\n  ')}</C:calendar-multiget>\r\n`,
  'a multiget with the properties last': `<C:calendar-multiget ${DECLARED}>${hrefs(100)}${DATA}</C:calendar-multiget>`,
  'a multiget with a default namespace': `<?xml version='1.0' encoding='UTF-8' ?><CAL:calendar-multiget xmlns="DAV:" xmlns:CAL="urn:ietf:params:xml:ns:caldav"><prop><getetag /><CAL:calendar-data /></prop><href>/a.ics</href></CAL:calendar-multiget>`,
  'a long multiget': `<C:calendar-multiget ${DECLARED}>${DATA}${hrefs(1_200)}</C:calendar-multiget>`,
  'a sync': `<D:sync-collection ${DECLARED}><D:sync-token>http://example.org/sync/1-2</D:sync-token><D:sync-level>1</D:sync-level>${DATA}</D:sync-collection>`,
  'a first sync': `<?xml version="1.0"?>\n<D:sync-collection ${DECLARED}><D:sync-token/><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>\n`,
  'a PROPFIND': `<?xml version="1.0" encoding="utf-8"?><D:propfind ${DECLARED}><D:prop><D:resourcetype></D:resourcetype><CS:getctag/><X:y xmlns:X="urn:x"/></D:prop></D:propfind>`,
  'a PROPFIND for everything': '<propfind xmlns="DAV:"><allprop/></propfind>',
  'a PROPPATCH': `<D:propertyupdate ${DECLARED}><D:set><D:prop><D:displayname>Zoë’s calendar</D:displayname></D:prop></D:set></D:propertyupdate>`,
}

test('what programs send is read by the fast path', () => {
  for (const [kind, body] of Object.entries(USUAL)) {
    assert.ok(isReadAtOnce(body), kind)
    assertSame(body)
  }
})

test('what has references, sections, comments or a wrong tag is left to the full parser', () => {
  for (const inner of ['&amp;', '<![CDATA[x]]>', '<!-- -->', '<?pi x?>', '😀', '<b c="&lt;"/>', '<b xml:lang="en"/>'])
    assert.equal(isReadAtOnce(`<a>${inner}</a>`), false, inner)
  for (const body of [
    '\ufeff<a/>',
    '<a/><!-- -->',
    `<a>${'x'.repeat(70_000)}</a>`,
    '<a></a >',
    `<a>${'<b/>'.repeat(3_000)}</a>`,
  ])
    assert.equal(isReadAtOnce(body), false, body.slice(0, 20))
})
