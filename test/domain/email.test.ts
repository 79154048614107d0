// Email addresses: normalised to one key for each account, and safe in a mail header.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readDisplayName } from '../../src/domain/account/managed-account.ts'
import { readEmail } from '../../src/domain/email.ts'
import { anyText } from '../support/any-text.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 5321)

test('an address is trimmed, its domain in lower case, its local part as its owner writes it', () => {
  assert.deepEqual(readEmail('  Ann.Smith+cal@Example.ORG '), {
    address: 'Ann.Smith+cal@example.org',
    key: 'ann.smith+cal@example.org',
  })
  for (const text of [
    'a@b',
    "o'brien@example.org",
    'x_y-z@sub.example.co.uk',
    '!#$%&*/=?^`{|}~@example.org',
    'a@1und1.de',
  ]) {
    assert.equal(readEmail(text)?.address, text, text)
  }
})

test('invisible characters and direction marks are refused in addresses and names', () => {
  for (const sign of ['\u202e', '\u2066', '\u200b', '\u200e', '\u00ad', '\ufeff', '\u2060'])
    assert.equal(readEmail(`gro${sign}elpmaxe@example.org`), undefined, JSON.stringify(sign))
  for (const sign of ['\u202a', '\u202e', '\u2066', '\u2069'])
    assert.deepEqual(readDisplayName(`Ann${sign}Smith`), { problem: 'invalid_format' }, JSON.stringify(sign))
  // Persian is written with a non-joiner; family emoji are several joined characters.
  for (const name of ['می\u200cخواهم', '👨\u200d👩\u200d👧', 'שלום\u200f'])
    assert.deepEqual(readDisplayName(name), { name })
})

test('two spellings of one address are one account', () => {
  const key = (text: string) => readEmail(text)?.key
  assert.equal(key('ANN@EXAMPLE.ORG'), key('ann@example.org'))
  assert.equal(key('jose\u0301@example.org'), key('JOSÉ@example.org'))
  assert.equal(key('ann@bücher.example'), key('ann@xn--bcher-kva.example'))
  assert.equal(key('ann@BU\u0308CHER.example'), key('ann@bücher.example'))
})

test('an international domain is stored in Punycode', () => {
  assert.equal(readEmail('ann@bücher.example')?.address, 'ann@xn--bcher-kva.example')
})

test('a domain that only looks the same is another domain', () => {
  // The first letter is Cyrillic, then Greek omicron for o.
  const real = readEmail('ann@apple.com')?.key
  for (const text of ['ann@\u0430pple.com', 'ann@appl\u0435.com', 'ann@g\u03bfogle.com']) {
    const read = readEmail(text)
    assert.match(read?.address ?? '', /^ann@xn--[a-z0-9-]+\.com$/)
    assert.notEqual(read?.key, real)
  }
  assert.notEqual(readEmail('\u0430nn@apple.com')?.key, real, 'nor is a local part')
})

test('characters that could end a mail header are refused', () => {
  const hostile = [
    'ann@example.org\r\nBcc: all@example.org',
    'ann\r\n@example.org',
    'ann@example.org\nX: 1',
    'ann@exam\rple.org',
    'ann%0abcc@example.org',
    'ann%0D%0Abcc@example.org',
    'ann\u0085@example.org',
    'ann\u2028@example.org',
    'ann\0@example.org',
    'ann@example.org,bob@example.org',
    'ann@example.org;bob@example.org',
    '<ann@example.org>',
    'Ann <ann@example.org>',
    '"ann"@example.org',
    '"ann smith"@example.org',
    'ann(comment)@example.org',
    'ann\\@example.org',
    'ann smith@example.org',
    'ann\u00a0@example.org',
    'ann:bob@example.org',
    'ann\ud800@example.org',
  ]
  for (const text of hostile) assert.equal(readEmail(text), undefined, JSON.stringify(text))
})

test('malformed addresses are refused', () => {
  const wrong = [
    '',
    ' ',
    '@',
    'ann',
    'ann@',
    '@example.org',
    'a@b@example.org',
    'ann@example..org',
    'ann@.example.org',
    'ann@example.org.',
    'ann@-example.org',
    'ann@example-.org',
    'ann@exam_ple.org',
    'ann@[127.0.0.1]',
    'ann@example.org/path',
    'ann@example.org?x',
    'ann@example.org#x',
    'ann@exa%6dple.org',
    'ann@example.org:25',
    'ann@127.0.0.1',
    'ann@127.1',
    'ann@0x7f.1',
    'ann@2130706433',
    'ann@\u200b',
    `ann@${'a'.repeat(64)}.org`,
  ]
  for (const text of wrong) assert.equal(readEmail(text), undefined, JSON.stringify(text))
})

test('an address has at most 254 characters, counted in Punycode', () => {
  const domain = `${'d'.repeat(60)}.${'e'.repeat(60)}.example.org`
  const fits = `${'a'.repeat(254 - domain.length - 1)}@${domain}`
  assert.equal(readEmail(fits)?.address.length, 254)
  assert.equal(readEmail(`a${fits}`), undefined)
  // 45 umlauts are 51 characters in Punycode, which makes this address 260 characters long.
  const short = `${'a'.repeat(100)}@${'ü'.repeat(45)}.${'ö'.repeat(45)}.${'ä'.repeat(45)}.org`
  assert.ok(short.length <= 254)
  assert.equal(readEmail(short), undefined)
  assert.equal(readEmail('a'.repeat(1_000_000)), undefined)
})

test(`a normalised address normalises to itself, and has no space or control character (DAYBOOK_SEED=${SEED})`, () => {
  const near = fc.tuple(anyText(), fc.oneof(fc.domain(), fc.string({ unit: 'grapheme' }))).map(([a, b]) => `${a}@${b}`)
  fc.assert(
    fc.property(fc.oneof(near, fc.emailAddress(), anyText()), (text) => {
      const read = readEmail(text)
      if (!read) return
      assert.doesNotMatch(read.address, /[\s\p{Cc}"<>,;:\\]/u)
      assert.deepEqual(readEmail(read.address), read)
      assert.equal(readEmail(read.key)?.key, read.key)
    }),
    { seed: SEED, numRuns: 3_000 },
  )
})
