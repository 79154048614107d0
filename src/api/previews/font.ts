// Reads a TrueType font: which characters it has, and how wide they are. OpenType 1.9.

export interface Font {
  has(codePoint: number): boolean
  /** In ems, without kerning. Marks that combine have no width. */
  widthOf(text: string): number
}

type FontTable = DataView<ArrayBufferLike>

export function readFont(bytes: Uint8Array): Font {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tables = readTables(file)
  const glyphs = readGlyphs(tables('cmap'))
  const unitsPerEm = tables('head').getUint16(18)
  const measured = tables('hhea').getUint16(34)
  const metrics = tables('hmtx')
  // Glyphs after the last measured one are as wide as that.
  const widthOfGlyph = (glyph: number): number => metrics.getUint16(4 * Math.min(glyph, measured - 1)) / unitsPerEm
  return {
    has: (codePoint) => glyphs.has(codePoint),
    widthOf: (text) => [...text].reduce((sum, one) => sum + widthOfGlyph(glyphs.get(one.codePointAt(0)!) ?? 0), 0),
  }
}

function readTables(file: FontTable): (name: string) => FontTable {
  const found = new Map<string, FontTable>()
  for (let i = 0, at = 12; i < file.getUint16(4); i++, at += 16) {
    const name = String.fromCharCode(...[0, 1, 2, 3].map((k) => file.getUint8(at + k)))
    found.set(name, new DataView(file.buffer, file.byteOffset + file.getUint32(at + 8), file.getUint32(at + 12)))
  }
  return (name) => {
    const table = found.get(name)
    if (!table) throw new Error(`the font has no table ${name}`)
    return table
  }
}

/** Characters and their glyphs, from the largest Unicode subtable. */
function readGlyphs(cmap: FontTable): Map<number, number> {
  const subtables = new Map<number, number>()
  for (let i = 0, at = 4; i < cmap.getUint16(2); i++, at += 8) {
    const place = cmap.getUint32(at + 4)
    subtables.set(cmap.getUint16(place), place)
  }
  const [all, basic] = [subtables.get(12), subtables.get(4)]
  if (all !== undefined) return readGroups(cmap, all)
  if (basic !== undefined) return readSegments(cmap, basic)
  throw new Error('the font has no Unicode characters')
}

function readGroups(cmap: FontTable, place: number): Map<number, number> {
  const glyphs = new Map<number, number>()
  for (let i = 0, at = place + 16; i < cmap.getUint32(place + 12); i++, at += 12) {
    const [first, last, glyph] = [cmap.getUint32(at), cmap.getUint32(at + 4), cmap.getUint32(at + 8)]
    for (let code = first; code <= last; code++) glyphs.set(code, glyph + code - first)
  }
  return glyphs
}

function readSegments(cmap: FontTable, place: number): Map<number, number> {
  const glyphs = new Map<number, number>()
  const size = cmap.getUint16(place + 6)
  const [ends, starts, deltas, offsets] = [14, 16 + size, 16 + 2 * size, 16 + 3 * size].map((part) => place + part)
  for (let i = 0; i < size; i += 2) {
    const offset = cmap.getUint16(offsets! + i)
    const last = cmap.getUint16(ends! + i)
    for (let code = cmap.getUint16(starts! + i); code <= last && code < 0xffff; code++) {
      const first = cmap.getUint16(starts! + i)
      const listed = offset === 0 ? code : cmap.getUint16(offsets! + i + offset + 2 * (code - first))
      if (offset === 0 || listed !== 0) glyphs.set(code, (listed + cmap.getUint16(deltas! + i)) & 0xffff)
    }
  }
  return glyphs
}
