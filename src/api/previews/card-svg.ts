// Lays out a preview card as SVG: wraps the title, cuts long texts, leaves out missing characters.
import { html } from '../docs-page/html.ts'
import type { Font } from './font.ts'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from './picture-size.ts'
import type { PreviewCard } from './preview-card.ts'

const MARGIN = 80
const ROOM = PICTURE_WIDTH - 2 * MARGIN
const TITLE_TOP = 140
const BOTTOM = 570

/** The first in which the title fits; in the last it is cut. */
const TITLE_FORMS = [
  { size: 88, lines: 2 },
  { size: 72, lines: 3 },
  { size: 54, lines: 4 },
] as const

/** Letters and digits that a font must have of a text, or its rest would mislead. */
const LEGIBLE_SHARE = 0.6

interface TextBlock {
  lines: string[]
  size: number
}

export function drawCard(card: PreviewCard, font: Font, family: string): string {
  const legible = (text: string): string => keepLegible(text, font)
  const details = card.lines.map(legible).filter(Boolean)
  const site = legible(card.site)
  // Without a title that can be drawn, the time or the name is what remains to say.
  const [title = '', ...rest] = [legible(card.title), ...details].filter(Boolean)
  const below = rest.flatMap((text, i) => blockOf(text, font, i === 0 ? 38 : 32, i === 0 ? 2 : 1))
  const height = below.reduce((sum, block) => sum + heightOf(block), 0)
  const heading = titleBlock(title, font)
  const write = (block: TextBlock, top: number, colour: string) =>
    block.lines.map((line, i) => {
      const anchor = isRightToLeft(line) ? { x: PICTURE_WIDTH - MARGIN, end: 'end' } : { x: MARGIN, end: 'start' }
      const y = Math.round(top + block.size + i * block.size * LEADING)
      return html`<text x="${anchor.x}" y="${y}" text-anchor="${anchor.end}" font-size="${block.size}" fill="${colour}">${line}</text>\n`
    })
  let top = BOTTOM - height
  const lower = below.map((block, i) => {
    const written = write(block, top, i === 0 ? '#1c2330' : '#56606f')
    top += heightOf(block)
    return written
  })
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" font-family="${family}" font-weight="700">
<rect width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" fill="#fbfaf7"/>
<rect width="24" height="${PICTURE_HEIGHT}" fill="#0a5a69"/>
${write({ lines: site ? [cutLine(site, font, 34, card.mark ? ROOM - MARK_ROOM : ROOM)] : [], size: 34 }, 66, '#0a5a69')}
${card.mark ? markOf(card.mark, font) : undefined}
${write(heading, TITLE_TOP, '#1c2330')}
${lower}
</svg>
`.markup
}

const LEADING = 1.18
const MARK_ROOM = 260

const heightOf = ({ lines, size }: TextBlock): number => Math.ceil(lines.length * size * LEADING) + 10

function markOf(text: string, font: Font) {
  const width = Math.ceil(font.widthOf(text) * 30) + 48
  const x = PICTURE_WIDTH - MARGIN - width
  return html`<rect x="${x}" y="58" width="${width}" height="54" rx="27" fill="#a3241d"/>
<text x="${x + 24}" y="96" font-size="30" fill="#ffffff">${text}</text>`
}

function titleBlock(title: string, font: Font): TextBlock {
  for (const { size, lines } of TITLE_FORMS) {
    const wrapped = wrap(title, font, ROOM / size)
    if (wrapped.length <= lines) return { lines: wrapped, size }
  }
  const { size, lines } = TITLE_FORMS.at(-1)!
  return { lines: cutLines(wrap(title, font, ROOM / size), lines, font, ROOM / size), size }
}

function blockOf(text: string, font: Font, size: number, lines: number): TextBlock[] {
  return [{ lines: cutLines(wrap(text, font, ROOM / size), lines, font, ROOM / size), size }]
}

/** `room` is in ems. A word that is longer than a line is broken between letters. */
function wrap(text: string, font: Font, room: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (font.widthOf(longer) <= room) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (font.widthOf(line) > room) {
      const part = fitting(line, font, room)
      lines.push(part)
      line = line.slice(part.length)
    }
  }
  return line === '' ? lines : [...lines, line]
}

function cutLines(lines: readonly string[], most: number, font: Font, room: number): string[] {
  if (lines.length <= most) return [...lines]
  return [...lines.slice(0, most - 1), withEllipsis(lines[most - 1]!, font, room)]
}

const cutLine = (text: string, font: Font, size: number, width: number): string =>
  font.widthOf(text) * size <= width ? text : withEllipsis(text, font, width / size)

/** After a whole word, unless the last one is long. */
function withEllipsis(text: string, font: Font, room: number): string {
  const part = fitting(text, font, room - font.widthOf('…'))
  const isWhole = part.length === text.length || /\s/u.test(text[part.length]!)
  return `${withoutTrailingMarks(isWhole ? part : part.replace(/\s\S{1,12}$/u, ''))}…`
}

/** A loop: an expression that ends in `+$` takes quadratic time where many spaces are not at the end. */
function withoutTrailingMarks(text: string): string {
  let end = text.length
  while (end > 0 && TRAILING_MARK.test(text[end - 1]!)) end -= 1
  return text.slice(0, end)
}

const TRAILING_MARK = /[\s,.;:–-]/

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** As many letters from the beginning as fit, one at least. */
function fitting(text: string, font: Font, room: number): string {
  let part = ''
  for (const { segment } of segmenter.segment(text)) {
    if (part !== '' && font.widthOf(part + segment) > room) break
    part += segment
  }
  return part
}

/** Without characters that the font has not, such as emoji; empty where too little is left. */
function keepLegible(text: string, font: Font): string {
  const kept: string[] = []
  let [letters, legible] = [0, 0]
  for (const { segment } of segmenter.segment(text)) {
    const isLegible = [...segment].every((one) => font.has(one.codePointAt(0)!))
    if (isLegible) kept.push(segment)
    if (!/[\p{L}\p{N}]/u.test(segment)) continue
    letters += 1
    if (isLegible) legible += 1
  }
  return legible < letters * LEGIBLE_SHARE ? '' : kept.join('').replace(/\s+/gu, ' ').trim()
}

/** By its first letter. */
const isRightToLeft = (text: string): boolean =>
  /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text)
