// Managed categories: names that are one, and shades that can be read by day and night.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { foldCategory } from '../../src/domain/categories/category.ts'
import { contrastBetween, MIN_CONTRAST, parseColor, shadeOf } from '../../src/domain/categories/category-colors.ts'
import { PAGE_COLORS } from '../../src/domain/categories/page-colors.ts'

test('names that people read as one are one', () => {
  for (const name of ['Vorstand', ' vorstand', 'VORSTÁND', 'Vor\u200bstand', 'Vorstand\u00ad'])
    assert.equal(foldCategory(name), 'vorstand', name)
  assert.equal(foldCategory('Open  Day'), foldCategory('open day'))
  assert.notEqual(foldCategory('Opens'), foldCategory('Open'))
})

test('every colour has shades with enough contrast on the pages and on its own background', () => {
  const steps = ['00', '33', '66', '99', 'cc', 'ff']
  const colors = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)))
  for (const color of colors)
    for (const theme of ['light', 'dark'] as const) {
      const { ink, soft } = shadeOf(color, theme)
      for (const behind of [...PAGE_COLORS[theme].backgrounds, soft])
        assert.ok(contrastBetween(ink, behind) >= MIN_CONTRAST, `${color} ${theme}: ${ink} on ${behind}`)
    }
})

test('a colour that can be read already stays as it is', () => {
  assert.equal(shadeOf('#0a5a69', 'light').ink, '#0a5a69')
  assert.equal(shadeOf('#7fcbda', 'dark').ink, '#7fcbda')
  assert.notEqual(shadeOf('#ffd400', 'light').ink, '#ffd400')
  assert.equal(contrastBetween('#000000', '#ffffff'), 21)
})

test('the page backgrounds are those of the style sheet', () => {
  const [day, night] = readFileSync('web/style/tokens.css', 'utf8').split('@media screen')
  for (const [sheet, theme] of [
    [day!, 'light'],
    [night!, 'dark'],
  ] as const) {
    const found = ['paper', 'card'].map((name) => new RegExp(`--${name}: (#\\w{6})`).exec(sheet)?.[1])
    assert.deepEqual(found, [...PAGE_COLORS[theme].backgrounds])
  }
})

test('a colour is six hexadecimal digits', () => {
  assert.equal(parseColor(' #ABCDEF '), '#abcdef')
  for (const odd of ['red', '#abc', '#abcdefa', 'url(x)', '#12345g']) assert.equal(parseColor(odd), undefined)
})
