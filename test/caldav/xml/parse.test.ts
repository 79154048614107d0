// XML parsing and printing: limits before any cost, and text that survives the round trip.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APPLE, CALDAV, DAV } from '../../../src/caldav/xml/names.ts'
import {
  childrenOf,
  findChild,
  listChildren,
  parseXml,
  parseXmlInSteps,
  textOf,
} from '../../../src/caldav/xml/parse.ts'
import {
  closeDocument,
  document,
  element,
  innerOf,
  join,
  openDocument,
  text,
  textElement,
} from '../../../src/caldav/xml/write.ts'
import { startWork } from '../../support/measure/effort.ts'
import { refusal } from '../support/asked.ts'

test('elements are identified by namespace and name, whatever their prefix', () => {
  const root = parseXml(`<?xml version="1.0" encoding="utf-8"?>
    <propfind xmlns="DAV:" xmlns:cal="urn:ietf:params:xml:ns:caldav">
      <prop><getetag/><cal:calendar-data version="2.0" cal:x="y"/><none xmlns=""/></prop>
    </propfind>`)
  assert.equal(`${root.ns}${root.name}`, 'DAV:propfind')
  const prop = findChild(root, DAV, 'prop')!
  assert.deepEqual(
    childrenOf(prop).map(({ ns, name }) => `${ns} ${name}`),
    ['DAV: getetag', `${CALDAV} calendar-data`, ' none'],
  )
  assert.deepEqual(
    [...findChild(prop, CALDAV, 'calendar-data')!.attributes],
    [
      ['version', '2.0'],
      ['{urn:ietf:params:xml:ns:caldav}x', 'y'],
    ],
  )
  assert.equal(findChild(prop, CALDAV, 'getetag'), undefined)
  assert.equal(listChildren(prop, DAV, 'getetag').length, 1)
})

test('text is kept where it may matter and dropped where it is layout', () => {
  const root = parseXml('<a><b> </b> <c>one<!-- no --> &amp; <![CDATA[<two>]]>&#13;\n</c><?pi x?>\n</a>')
  assert.deepEqual(
    childrenOf(root).map((child) => textOf(child)),
    [' ', 'one & <two>\r\n'],
  )
  assert.equal(root.children.length, 2)
  assert.equal(textOf(parseXml('<a/>')), '')
})

test('a run of equal elements gives the same tree as parsing each of them', () => {
  const parse = (document: string, maxNodes: number): unknown => {
    try {
      return parseXml(document, maxNodes)
    } catch {
      return 'refused'
    }
  }
  const run = (part: string, count = 12): string => Array.from({ length: count }, (_, i) => part + i).join('')
  const href = (text: string): string => `<D:href>${text}</D:href>`
  const bodies = [
    run(href('/a/b.ics')),
    run(`${href('x')}\r\n  `),
    `${run(href('é€ > ] '))}`,
    `<D:prop><D:getetag/></D:prop>${run(href('/a%20b.ics')).replaceAll(/\d+(?=<)|\d+$/g, '')}`,
    ...[
      '&amp;',
      '&nope;',
      ']]>',
      '\r\n',
      '\ud800',
      '\ufffe',
      '\u0001',
      '<D:x/>',
      '<!-- -->',
      '<![CDATA[x]]>',
      ' ',
      '',
      '\t\n',
    ].map((text) =>
      run(href('y'))
        .replaceAll(/\d+(?=<|$)/g, '')
        .replace('>y<', `>${text}<`),
    ),
    ...['text', '<D:href/>', '<D:href a="b">x</D:href>', '<href>x</href>', '<!-- -->', '\u00a0'].flatMap((odd) => {
      const plain = href('z').repeat(12)
      return [odd + plain, plain + odd, href('z') + odd + plain]
    }),
    `<D:prop>${href('z').repeat(12)}</D:prop>`,
    `<!-- ${href('z')} -->${href('z').repeat(12)}`,
    `<D:prop xmlns:D="urn:x">${href('z')}</D:prop>${href('z').repeat(12)}`,
    `<?pi ${href('z').repeat(12)}`,
    href('z').repeat(199),
    href('z').repeat(300),
    `${href('z').repeat(12)}</D:other>`,
  ]
  for (const body of bodies)
    for (const [open, close] of [
      ['<D:a xmlns:D="DAV:">', '</D:a>'],
      ['<D:a xmlns:D="urn:other">', '</D:a>\n'],
      ['<a>', '</a>'],
      ['<D:a xmlns:D="DAV:">', '</D:b>'],
      ['<D:a xmlns:D="DAV:"><D:c>', '</D:c></D:a>'],
    ]) {
      const document = open + body + close
      // The instruction after the end of the root, which counts as a node, prevents the shorter way.
      assert.deepEqual(parse(document, 200), parse(`${document}<?pi x?>`, 201), document.slice(0, 200))
    }
})

test('XML that is not well-formed is refused', () => {
  const broken = [
    '',
    ' ',
    'text',
    '{"a":1}',
    '<a>',
    '<a></b>',
    '<a/><b/>',
    '<a b=1/>',
    '<a b="1" b="2"/>',
    '<a>&nbsp;</a>',
    '<a>&#0;</a>',
    '<a>\u0001</a>',
    '<p:a/>',
    '<a xmlns:p=""><p:b/></a>',
    '<a>]]></a>',
    '<a><![CDATA[</a>',
    '<?xml version="1.0"?>',
    '<a/>more',
  ]
  for (const body of broken)
    assert.equal(
      refusal(() => parseXml(body)),
      'invalid_xml',
      body,
    )
})

test('F26: document types, entities, depth, nodes and floods of references are refused at once', () => {
  const million = 1_000_000
  const bombs: Record<string, string> = {
    doctype: '<!DOCTYPE a><a/>',
    'doctype with entities': `<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b "${'c'.repeat(million)}">]><a>&b;</a>`,
    'external entity': '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///secret">]><a>&b;</a>',
    'small doctype': '<!doctype a><a/>',
    'undeclared entity': '<a>&b;</a>',
    references: `<a>${'&#65;'.repeat(million)}</a>`,
    'references in an attribute': `<a b="${'&#65;'.repeat(million)}"/>`,
    depth: '<a>'.repeat(10_000) + '</a>'.repeat(10_000),
    'depth 65': '<a>'.repeat(65) + '</a>'.repeat(65),
    elements: `<a>${'<b/>'.repeat(million)}</a>`,
    'elements with text': `<a>${'<b>x</b>y'.repeat(100_000)}</a>`,
    attributes: `<a ${Array.from({ length: 100_000 }, (_, index) => `a${index}=""`).join(' ')}/>`,
    comments: `<a>${'<!---->'.repeat(million)}</a>`,
    instructions: `<a>${'<?b?>'.repeat(million)}</a>`,
    sections: `<a>${'<![CDATA[]]>'.repeat(million)}</a>`,
  }
  parseXml('<a/>')
  const tooMany = ['elements', 'elements with text', 'attributes', 'comments', 'instructions', 'sections']
  for (const [name, bomb] of Object.entries(bombs)) {
    const workedMs = startWork()
    assert.equal(
      refusal(() => parseXml(bomb)),
      tooMany.includes(name) ? 'too_many_elements' : 'invalid_xml',
      name,
    )
    // The documented limit is a tenth of a second; slow machines get more, an expanded bomb takes many seconds.
    assert.ok(workedMs() < 500, `${name} took ${workedMs()} ms`)
  }
})

test('a body as large as clients send is accepted', () => {
  assert.equal(childrenOf(parseXml(`<a>${'<b>x</b>\n'.repeat(9_990)}</a>`)).length, 9_990)
  assert.equal(textOf(parseXml(`<a>${'&#13;'.repeat(9_000)}</a>`)).length, 9_000)
  parseXml('<a>'.repeat(64) + '</a>'.repeat(64))
})

test('a long document is parsed in parts, with the same result wherever they end', () => {
  const text = `<a xmlns:p="urn:p">${'<p:b c="d&amp;é😀">one  &#13;<![CDATA[<two>]]> \r\n<e/> 😀 </p:b>\n'.repeat(900)}</a>`
  const whole = parseXml(text)
  assert.equal(childrenOf(whole).length, 900)
  for (let shift = 1; shift <= 60; shift++) {
    const steps = parseXmlInSteps(`<!--${'x'.repeat(shift)}-->${text}`)
    let parts = 0
    for (let step = steps.next(); ; step = steps.next()) {
      if (!step.done) parts += 1
      else {
        assert.deepEqual(step.value, whole)
        break
      }
    }
    assert.ok(parts > 5)
  }
})

test('a response declares its prefixes once, and repeated foreign namespaces where they are used', () => {
  const answer = document(
    DAV,
    'multistatus',
    {},
    element(DAV, 'response', {}, textElement(DAV, 'href', '/a?b&c'), element(CALDAV, 'comp', { name: 'VEVENT' })),
    element('urn:x "y" <z>', 'odd'),
    element('', 'bare'),
    textElement(APPLE, 'calendar-color', '#ff0000'),
  )
  assert.equal(
    answer,
    '<?xml version="1.0" encoding="utf-8"?>\n' +
      '<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/"' +
      ' xmlns:A="http://apple.com/ns/ical/">' +
      '<D:response><D:href>/a?b&amp;c</D:href><C:comp name="VEVENT"/></D:response>' +
      '<X:odd xmlns:X="urn:x &quot;y&quot; &lt;z&gt;"/><bare/><A:calendar-color>#ff0000</A:calendar-color>' +
      '</D:multistatus>\n',
  )
  assert.equal(
    answer,
    join(openDocument(DAV, 'multistatus'), text(''), answerInside(answer), closeDocument(DAV, 'multistatus')),
  )
  assert.deepEqual(
    childrenOf(parseXml(answer)).map(({ ns, name }) => `${ns} ${name}`),
    ['DAV: response', 'urn:x "y" <z> odd', ' bare', `${APPLE} calendar-color`],
  )
})

const answerInside = (answer: string) =>
  answer.slice(openDocument(DAV, 'multistatus').length, -closeDocument(DAV, 'multistatus').length) as ReturnType<
    typeof text
  >

test('text survives XML byte for byte, and characters that XML does not allow are left out', () => {
  const back = (value: string): string => textOf(parseXml(document(DAV, 'x', {}, text(value))))
  for (const value of [
    'BEGIN:VCALENDAR\r\nX:a\tb\r\n folded\r\n',
    'a\rb\nc\r\n',
    ']]>',
    '<![CDATA[',
    '&amp;',
    '"é😀\'',
    ' ',
  ])
    assert.equal(back(value), value)
  assert.equal(back('a\u0000b\u0008c\u000bd\u001fe\ufffff\ud800g\udc00h'), 'abcdefgh')
  const attribute = document(DAV, 'x', { a: 'one\r\n\ttwo "<&>" \u0001' })
  assert.equal(parseXml(attribute).attributes.get('a'), 'one\r\n\ttwo "<&>" ')
})

test('parsed elements can be printed again under any prefixes', () => {
  const read = parseXml('<v xmlns="urn:v"><a b="&lt;">one<c/></a> two &amp; <D:href xmlns:D="DAV:">/</D:href></v>')
  const written = innerOf(read, 1_000)!
  assert.equal(written, '<X:a xmlns:X="urn:v" b="&lt;">one<X:c xmlns:X="urn:v"/></X:a> two &amp; <D:href>/</D:href>')
  assert.deepEqual(parseXml(document('urn:v', 'v', {}, written)), read)
  assert.equal(innerOf(parseXml('<v/>'), 1_000), '')
  const rich = parseXml('<v><a xmlns:b="urn:b" xmlns:c="urn:c" b:x="1" c:x="2" x="3" xml:lang="en"/></v>')
  assert.deepEqual(parseXml(document('', 'v', {}, innerOf(rich, 1_000)!)), rich)
})

test('a body has at most 200 different attributes and namespace declarations that clients name', () => {
  const declared = (count: number): string =>
    `<a ${Array.from({ length: count }, (_, i) => `xmlns:p${i}="urn:${i}"`).join(' ')}/>`
  assert.equal(parseXml(declared(200)).name, 'a')
  assert.throws(() => parseXml(declared(201)), { code: 'too_many_elements' })
  const spread = `<a>${Array.from({ length: 201 }, (_, i) => `<b n${i}="1"/>`).join('')}</a>`
  assert.throws(() => parseXml(spread), { code: 'too_many_elements' })
  const usual = `<a>${'<b name="x" namespace="DAV:" start="1"/>'.repeat(1_000)}</a>`
  assert.equal(parseXml(usual).children.length, 1_000)
})
