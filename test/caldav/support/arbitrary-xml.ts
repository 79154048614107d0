// Arbitraries for fast-check: XML documents, mostly plain ones, with every kind of unusual part and error.
import fc from 'fast-check'
import { DECLARED } from '../../support/http/dav.ts'

/** Parts of a document: those that plain documents have, and others. */
interface Parts {
  usual: readonly string[]
  odd: readonly string[]
}

const PROLOGUES: Parts = {
  usual: [
    '',
    '\n ',
    '<?xml version="1.0"?>',
    '<?xml version="1.0" encoding="utf-8"?>\n',
    `<?xml version='1.0' encoding='UTF-8' ?>\r\n`,
    '<?xml version="1.0" encoding="utf-8" ?>',
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
  ],
  odd: [
    '\ufeff',
    '\ufeff<?xml version="1.0" encoding="utf-8"?>',
    ' <?xml version="1.0"?>',
    '<?xml version="1.1"?>',
    '<?xml version="1.1"?>\u0085',
    '<?xml version="2.0"?>',
    '<?xml version="1.0\'?>',
    '<?xml encoding="utf-8"?>',
    '<?xml version="1.0" encoding="iso-8859-1"?>',
    '<?xml version="1.0" encoding="1"?>',
    '<?xml version="1.0" encoding=""?>',
    '<?xml version="1.0"encoding="utf-8"?>',
    '<?xml version="1.0" encoding="utf-8" standalone="maybe"?>',
    '<?xml version="1.0" standalone="yes" encoding="utf-8"?>',
    '<?xml\tversion = "1.0"\n?>',
    '<?XML version="1.0"?>',
    '<?xml version="1.0"?><?xml version="1.0"?>',
    '<!-- one -->',
    '<?pi one?>',
    '<!DOCTYPE a>',
    'text',
    '\u00a0',
  ],
}
const NAMES: Parts = {
  usual: ['a', 'b', 'D:a', 'D:href', 'C:b', '_n', 'n.-1', 'p:a', 'XML'],
  odd: [
    ...['q:a', 'xml:a', 'xmlns:a', 'xmlns', 'é', 'D:é', 'a:b:c', 'D:b:c', ':a', 'a:', 'D:', 'D:1', '1', '-', ''],
    ...['__proto__', 'x'.repeat(1_001)],
  ],
}
const SPACES: Parts = { usual: [' ', '  ', '\n', '\t ', '\r\n  '], odd: ['', '\r', '\u00a0', '/', ' / '] }
const ATTRIBUTE_NAMES: Parts = {
  usual: ['name', 'x', 'D:x', 'p:y', 'start', 'xmlns', 'xmlns:p', 'xmlns:q', 'xmlns:D'],
  odd: [
    ...['xml:lang', 'xml:x', 'q:x', 'xmlns:xml', 'xmlns:xmlns', 'xmlns:', 'xmlnsx', 'p:xmlns', 'x\u00a0', ''],
    ...['é', 'a:b:c', 'D:b:c', ':a', '1', 'D:1', '__proto__', 'xmlns:__proto__', 'x x="1" x', 'D:x p:x="1" D:x'],
    ...['xmlns:q="urn:p" q:x="1" p:x', 'xmlns:q="urn:q" xmlns:q'],
  ],
}
const VALUES: Parts = {
  usual: ['urn:x', 'DAV:', 'one two', '>', ' urn:x ', 'VEVENT', '\u00a0é€', 'a/b'],
  odd: [
    ...['', ' ', '<', '&lt;', '&nope;', 'a\tb', 'a\nb', 'a\r\nb', 'a\rb', ']]>', '😀', '\ud800', '\u0001', '"', "'"],
    ...['http://www.w3.org/XML/1998/namespace', ' http://www.w3.org/2000/xmlns/ ', 'x'.repeat(1_001)],
  ],
}
const EQUALS: Parts = { usual: ['=', ' = ', '=\n'], odd: ['', '==', ' '] }
const QUOTES: Parts = { usual: ['"', "'"], odd: ['', '`'] }
const TAG_ENDS: Parts = { usual: ['', ' ', '\n'], odd: ['/', '\r', '?', '<'] }
const CONTENTS: Parts = {
  usual: ['one', '/a/b%20c.ics', ' ', '\n  ', '\r\n', '\t', 'é€', ' > ', ']', '\u007f', '"', "it's", '='],
  odd: [
    ...['\r', '😀', '\ud800', '\udc00', '\ud800<', '\ufffe', '\uffff', '\u0000', '\u0001', '\u000b', '\u001f'],
    ...['\u00a0', '\ufeff', '\u0085', '\u2028', '&amp;', '&#13;', '&#xE9;', '&nope;', '&#0;', '&', '<', '</', '<>'],
    ...['<!-- one -->', '<![CDATA[<two>]]>', '<![CDATA[]]>', '<![CDATA[ ]]>', '<?pi one?>', '<!DOCTYPE a>', '<!x>'],
    ...[']]', ']]>', 'a]]>', '</D:root>', '<a/></b>', '<a></a >', '<a></D:a>', '<a></aa>', '<a xmlns=""/>', '<a></A>'],
  ],
}
const DECLARATIONS: Parts = { usual: [DECLARED, `${DECLARED} xmlns="urn:d"`], odd: ['', 'xmlns:D=""'] }
const ENDINGS: Parts = {
  usual: ['', '\n', ' \r\n'],
  odd: ['text', '<a/>', '<!-- one -->', '\u00a0', '\u0085', '<', '</a>', '<?pi ', '<?pi?>', '\r', '&amp;'],
}

const mostly = ({ usual, odd }: Parts): fc.Arbitrary<string> =>
  fc.oneof({ weight: 200, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) })

const attributeText = (space: string, name: string, equals: string, quote: string, value: string): string =>
  space + name + equals + quote + value + quote

const attribute = fc
  .tuple(mostly(SPACES), mostly(ATTRIBUTE_NAMES), mostly(EQUALS), mostly(QUOTES), mostly(VALUES))
  .map((parts) => attributeText(...parts))

const { content } = fc.letrec<{ content: string; element: string }>((tie) => ({
  content: fc
    .array(fc.oneof({ depthSize: 'medium', maxDepth: 5 }, mostly(CONTENTS), tie('element')), { maxLength: 5 })
    .map((parts) => parts.join('')),
  element: fc
    .tuple(mostly(NAMES), fc.array(attribute, { maxLength: 2 }), mostly(TAG_ENDS), tie('content'), fc.nat(9))
    .map(([name, attributes, end, inner, kind]) => {
      const begin = `<${name}${attributes.join('')}${end}`
      return kind < 3 ? `${begin}/>` : `${begin}>${inner}</${name}${kind === 9 ? ' ' : ''}>`
    }),
}))

const repeated = fc.tuple(content, fc.nat(12)).map(([inner, count]) => `<D:href>${inner}</D:href>`.repeat(count))

const documentText = (prologue: string, declarations: string, inner: string, ending: string): string =>
  `${prologue}<D:root ${declarations} xmlns:p="urn:p">${inner}</D:root>${ending}`

export const xmlDocument = fc
  .tuple(mostly(PROLOGUES), mostly(DECLARATIONS), content, repeated, content, mostly(ENDINGS))
  .map(([prologue, declarations, first, hrefs, last, ending]) =>
    documentText(prologue, declarations, first + hrefs + last, ending),
  )

const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat(2),
  added: fc.constantFrom(...'<>/"\'=& :\r\n\t!?x]-;#', '', '', '<D:', '</', '/>', ']]>', 'xmlns', '\ufeff', '\u0001'),
  isDoubled: fc.boolean(),
})

/** A document in which characters were deleted, doubled, replaced or inserted. */
export const changedDocument = fc
  .tuple(xmlDocument, fc.array(change, { minLength: 1, maxLength: 3 }))
  .map(([text, changes]) =>
    changes.reduce((before, { at, removed, added, isDoubled }) => {
      const from = Math.floor(at * before.length)
      const cut = before.slice(from, from + removed)
      return before.slice(0, from) + (isDoubled ? cut + cut : added) + before.slice(from + removed)
    }, text),
  )

/** Plain documents but for one part, in each place where it can be. */
export function listOddDocuments(): string[] {
  const documentOf = (inner: string): string => documentText('', DECLARED, inner, '')
  const withAttribute = (text: string): string[] => [`<a${text}/>`, `<D:a${text}>x</D:a>`, `<a x="1"${text}></a>`]
  const attributes = [
    ...SPACES.odd.map((space) => attributeText(space, 'y', '=', '"', 'z')),
    ...[...ATTRIBUTE_NAMES.usual, ...ATTRIBUTE_NAMES.odd].map((name) => attributeText(' ', name, '=', '"', 'urn:p')),
    ...EQUALS.odd.map((equals) => attributeText(' ', 'y', equals, '"', 'z')),
    ...QUOTES.odd.map((quote) => attributeText(' ', 'y', '=', quote, 'z')),
    ...VALUES.odd.flatMap((value) =>
      QUOTES.usual.flatMap((quote) =>
        ['y', 'xmlns', 'xmlns:q'].map((name) => attributeText(' ', name, '=', quote, value)),
      ),
    ),
  ]
  return [
    ...PROLOGUES.odd.map((prologue) => documentText(prologue, DECLARED, '<a/>', '')),
    ...DECLARATIONS.odd.map((declarations) => documentText('', declarations, '<a/>', '')),
    ...ENDINGS.odd.map((ending) => documentText('', DECLARED, '<a/>', ending)),
    ...NAMES.odd.flatMap((name) => [`<${name}/>`, `<${name}>x</${name}>`]).map(documentOf),
    ...attributes.flatMap(withAttribute).map(documentOf),
    ...TAG_ENDS.odd.flatMap(withAttribute).map(documentOf),
    ...CONTENTS.odd
      .flatMap((odd) => [odd, `x${odd}`, `${odd}y`, `<a/>${odd}`, `${odd}<a/>`, `<a>${odd}</a>`])
      .map(documentOf),
  ]
}
