// Builds the browser files into the folder given and compresses each with Brotli and gzip.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { recordPackages } from '../../packaging/record-packages.ts'
import { BUILDS } from '../vite.config.ts'

const web = join(import.meta.dirname, '..')
const outDir = process.argv[2]!

for (const mode of BUILDS)
  await build({
    configFile: join(web, 'vite.config.ts'),
    mode,
    logLevel: 'warn',
    plugins: [recordPackages(outDir)],
    build: { outDir },
  })
for (const file of globSync('**/*.{js,css,svg}', { cwd: outDir })) {
  const bytes = readFileSync(join(outDir, file))
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  writeFileSync(join(outDir, `${file}.br`), brotliCompressSync(bytes, { params }))
  writeFileSync(join(outDir, `${file}.gz`), gzipSync(bytes, { level: 9 }))
}
