// Worker thread: draws preview pictures, SVG to PNG in WebAssembly.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { drawCard } from './card-svg.ts'
import { readFont } from './font.ts'
import type { PreviewCard } from './preview-card.ts'

export interface PictureRequest {
  id: number
  card: PreviewCard
}

export interface PictureReply {
  id: number
  png?: Uint8Array
  error?: string
}

const FAMILY = 'DejaVu Sans Condensed'

/** The build copies both beside the bundle (`bin/bundle.mjs`); the sources use the packages. */
const readAsset = (name: string, source: string): Buffer => {
  const copied = join(import.meta.dirname, name)
  return readFileSync(existsSync(copied) ? copied : createRequire(import.meta.filename).resolve(source))
}

// Keeps V8's optimizing compiler away: it takes 60 MB, half of which stay with the process, for pictures drawn no
// faster. The flag is for the whole process, in which nothing else runs WebAssembly for long.
setFlagsFromString('--wasm-tiering-budget=1000000000')

const port = parentPort!
const bytes = readAsset('preview-font.ttf', 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf')
const font = readFont(bytes)
const ready = initWasm(readAsset('resvg.wasm', '@resvg/resvg-wasm/index_bg.wasm'))

port.on('message', async ({ id, card }: PictureRequest) => {
  try {
    await ready
    const png = render(drawCard(card, font, FAMILY))
    port.postMessage({ id, png } satisfies PictureReply, [png.buffer as ArrayBuffer])
  } catch (error) {
    port.postMessage({ id, error: String(error) } satisfies PictureReply)
  }
})

/** Memory of WebAssembly is not collected, so it is freed here. */
function render(svg: string): Uint8Array {
  const drawing = new Resvg(svg, { font: { fontBuffers: [bytes], defaultFontFamily: FAMILY } })
  const image = drawing.render()
  try {
    // A copy: the other thread takes its buffer.
    return Uint8Array.from(image.asPng())
  } finally {
    image.free()
    drawing.free()
  }
}
