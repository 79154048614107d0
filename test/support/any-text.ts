// Arbitraries for fast-check: texts of any Unicode characters, and web addresses.
// Those of the library index all of Unicode at their first use, which takes some two seconds of a process.
import fc from 'fast-check'

const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ffff })
  .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
  .map((codePoint) => String.fromCodePoint(codePoint))

export const anyText = (constraints: fc.StringConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: anyCharacter })

const label = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,12}[a-z0-9]$/)
const part = fc.stringMatching(/^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-F]{2}){0,20}$/)

export const anyWebAddress = fc
  .tuple(fc.constantFrom('http', 'https'), fc.array(label, { minLength: 1, maxLength: 3 }), part, fc.option(part))
  .map(([scheme, labels, path, query]) => `${scheme}://${labels.join('.')}.org/${path}${query ? `?${query}` : ''}`)
