// `npm run build`: builds the browser files and compresses each with Brotli and gzip.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { BUILDS } from '../vite.config.ts'

const web = join(import.meta.dirname, '..')
const dist = join(web, 'dist')

for (const mode of BUILDS) await build({ configFile: join(web, 'vite.config.ts'), mode, logLevel: 'warn' })
for (const file of globSync('**/*.{js,css,svg}', { cwd: dist })) {
  const bytes = readFileSync(join(dist, file))
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  writeFileSync(join(dist, `${file}.br`), brotliCompressSync(bytes, { params }))
  writeFileSync(join(dist, `${file}.gz`), gzipSync(bytes, { level: 9 }))
}
