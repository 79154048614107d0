// New passwords: a minimum length in characters, any characters, and no common password.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dictionary } from '@zxcvbn-ts/language-common'
import fc from 'fast-check'
import { checkPassword } from '../../../src/domain/account/password.ts'
import { foldText } from '../../../src/domain/plain-text.ts'
import { Problems } from '../../../src/domain/problems.ts'
import { anyText } from '../../support/any-text.ts'
import { problems } from '../calendar/series.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 5321)
const common = new Set(dictionary['passwords-common'])
const context = ['Town Hall Diary', 'riverside', 'ann.smith+cal', 'Añn Smythe']

const passwordProblems = (password: string): string[] => {
  const found = new Problems()
  checkPassword(password, { common, context }, found)
  return found.isEmpty ? [] : problems(() => found.throwIfAny())
}
const accepted = (password: string): void => assert.deepEqual(passwordProblems(password), [], password)
const guessed = (password: string): void =>
  assert.deepEqual(passwordProblems(password), ['/password password_common'], password)

/** So many characters without a repeated pattern. */
const varied = (length: number, from: string): string =>
  Array.from({ length }, (_, i) => String.fromCodePoint(from.codePointAt(0)! + ((i * i + (i >> 2)) % 23))).join('')

test('a password has 12 to 128 characters, counted as code points', () => {
  assert.deepEqual(passwordProblems(''), ['/password too_short'])
  assert.deepEqual(passwordProblems(varied(11, 'a')), ['/password too_short'])
  accepted(varied(12, 'a'))
  accepted(varied(128, 'a'))
  assert.deepEqual(passwordProblems(varied(129, 'a')), ['/password too_long'])
  // A letter outside the basic plane is one character, and so is one with a separate accent.
  assert.deepEqual(passwordProblems(varied(11, '😀')), ['/password too_short'])
  accepted(varied(128, '😀'))
  const accented = (length: number) => varied(length, 'a').replace(/./g, '$&\u0301').normalize('NFD')
  assert.deepEqual(passwordProblems(accented(11).normalize('NFC')), passwordProblems(accented(11)))
  assert.deepEqual(passwordProblems('e\u0301'.repeat(11)), ['/password too_short'])
})

test('any characters are accepted, spaces too, and none is required', () => {
  for (const password of [
    'correct horse battery',
    'пароль из четырёх слов',
    '\t\n\0 twelve chars',
    'twelve characters or more',
    'a long enough password',
    'four or five words will do',
    '夏の夜の夢はまだ遠い山の向こう',
    'kx7mqv2hcznw',
    'hgbtkdwmpzrl',
    '840217365920',
  ])
    accepted(password)
})

test('a common password is refused, whatever comes before or after it', () => {
  for (const password of [
    'passwordpassword',
    'Password1234',
    'PASSWORD123!',
    '!!password!!',
    'Iloveyou2026',
    '123456789012',
    '1q2w3e4r5t6y',
    '1q2w3e4r5t!!',
    'qwertyuiop12',
    'sunshine 2026',
    'ｐａｓｓｗｏｒｄ１２３４',
    'pässwörd1234',
  ])
    guessed(password)
  assert.ok(common.size > 10_000)
  for (const password of [...common].filter((word) => word.length >= 12)) guessed(password)
})

test('only a few characters are stripped: seven around a common word are a part of the password', () => {
  guessed('sunshine+-*/=7')
  accepted('sunshine+-*/=73')
})

test('a short unit that is repeated counts once', () => {
  for (const password of [
    'abcabcabcabc',
    'xxxxxxxxxxxx',
    'x'.repeat(128),
    '            ',
    '12'.repeat(8),
    'kx7mkx7mkx7mkx',
    'gravel gravel',
    'gravel gravel!!',
    'Gravel-gravel-GRAVEL',
    '\u0301'.repeat(12),
  ])
    guessed(password)
  // A unit that is long enough by itself may be repeated.
  accepted('correct horse battery correct horse battery')
})

test('the name of the site or the account is not a password, nor with a few characters around it', () => {
  for (const password of [
    'townhalldiary',
    'Town-Hall-Diary!',
    'riverside2026',
    'RIVERSIDE!!!!!!!',
    'annsmithcal1',
    'ann.smith+cal99',
    'añn smythe 1',
    'smythe123456',
    'x1smythe2x345',
  ])
    guessed(password)
  accepted('riverside+kx7mqv2h')
  accepted('smythe likes gravel')
})

test('words of three letters or fewer, and empty ones, are not compared', () => {
  const found = new Problems()
  checkPassword('hallway ann x', { common: new Set(), context: ['ann', '', 'h a', '...'] }, found)
  assert.ok(found.isEmpty)
})

test('the problem names the field it was sent in', () => {
  const found = new Problems()
  checkPassword('short', { common, context }, found, '/new_password')
  assert.deepEqual(
    problems(() => found.throwIfAny()),
    ['/new_password too_short'],
  )
})

test(`random letters and digits pass, and anything ends quickly (DAYBOOK_SEED=${SEED})`, () => {
  const random = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
    minLength: 14,
    maxLength: 40,
  })
  let refused = 0
  fc.assert(
    fc.property(random, (password) => {
      refused += passwordProblems(password).length
    }),
    { seed: SEED, numRuns: 2_000 },
  )
  assert.ok(refused <= 20, `${refused} of 2000 refused`)
  fc.assert(
    fc.property(anyText({ minLength: 0, maxLength: 512 }), (password) => {
      passwordProblems(password)
    }),
    { seed: SEED, numRuns: 2_000 },
  )
})

test('the list of common passwords is stored folded, as it is compared', () => {
  for (const word of common) assert.equal(foldText(word), word)
})
