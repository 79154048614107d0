// Reads the text of a PDF that Chromium made: decodes the content streams by the ToUnicode maps of their fonts.
import { inflateSync } from 'node:zlib'

/** One string for each run of text that is drawn, page by page. Chromium leaves out what lies outside a page. */
export const readPdfText = (pdf: Buffer): string[] => readPdfPages(pdf).flat()

export function readPdfPages(pdf: Buffer): string[][] {
  const objects = readObjects(pdf)
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b/.test(head))
  return pages.map(({ head }) => {
    const fonts = new Map<string, ReadonlyMap<string, string>>()
    for (const [, name, id] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id!)!.head)?.[1]
      if (map) fonts.set(name!, readToUnicode(objects.get(map)!.body!))
    }
    const contents = objects.get(/\/Contents (\d+) 0 R/.exec(head)![1]!)!.body!
    return [...contents.matchAll(/\bBT\b([\s\S]*?)\bET\b/g)].map(([, run]) => readRun(run!, fonts))
  })
}

interface PdfObject {
  head: string
  body: string | undefined
}

function readObjects(pdf: Buffer): Map<string, PdfObject> {
  const objects = new Map<string, PdfObject>()
  const text = pdf.toString('latin1')
  let from = 0
  for (;;) {
    const at = text.slice(from).search(/\b\d+ 0 obj\b/)
    if (at < 0) return objects
    const start = from + at
    const id = text.slice(start, text.indexOf(' ', start))
    const stream = text.indexOf('stream\n', start)
    const end = text.indexOf('endobj', start)
    const hasStream = stream >= 0 && stream < end
    const head = text.slice(start, hasStream ? stream : end)
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0)
    const bytes = pdf.subarray(stream + 7, stream + 7 + length)
    const body = head.includes('/FlateDecode') ? inflateSync(bytes) : bytes
    objects.set(id, { head, body: hasStream ? body.toString('latin1') : undefined })
    from = hasStream ? stream + 7 + length : end
  }
}

/** Glyph to text, both as hexadecimal in the map: single entries, and ranges of consecutive ones. */
function readToUnicode(map: string): Map<string, string> {
  const found = new Map<string, string>()
  const put = (glyph: number, code: number): unknown =>
    found.set(glyph.toString(16).padStart(4, '0'), String.fromCodePoint(code))
  for (const [, part] of map.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, glyph, code] of part!.matchAll(/<(\w+)> <(\w+)>/g)) put(parseInt(glyph!, 16), parseInt(code!, 16))
  for (const [, part] of map.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, first, last, code] of part!.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g))
      for (let glyph = parseInt(first!, 16); glyph <= parseInt(last!, 16); glyph++)
        put(glyph, parseInt(code!, 16) + glyph - parseInt(first!, 16))
  return found
}

function readRun(run: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  let font: ReadonlyMap<string, string> | undefined
  let text = ''
  for (const [, name, glyphs] of run.matchAll(/\/(F\d+) \S+ Tf|<(\w+)>/g)) {
    if (name) font = fonts.get(name)
    for (const glyph of glyphs?.toLowerCase().match(/.{4}/g) ?? []) text += font?.get(glyph) ?? ''
  }
  return text
}
