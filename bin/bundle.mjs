// Bundles the service to plain JavaScript in the folder given, so that a start reads few files and strips no types.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { recordPackages } from '../packaging/record-packages.ts'
import { root } from './launcher.mjs'

/** Loaded when needed; everything else is in one file. The worker threads share the last three with the service. */
const ON_DEMAND = new RegExp(
  [
    'node_modules/(?:@resvg|@zxcvbn-ts|nodemailer|pg|pg-[a-z-]+|pgpass|postgres-[a-z]+|split2)/',
    'src/main\\.ts$',
    'src/cli/(?!start|command|explain|check-tls|watch-tls)',
    'src/storage/engine/(?:postgres|postgres-listen|sqlite-worker-thread|sqlite-statements)\\.ts$',
    'src/doctor/',
    'src/storage/backup/',
    'src/api/previews/(?:picture-thread|card-svg|font)\\.ts$',
    'src/api/docs-page/html\\.ts$',
    'src/lru-map\\.ts$',
  ].join('|'),
)

/** What the thread that draws pictures reads, and the packages that these files are from. */
const ASSETS = {
  'resvg.wasm': 'node_modules/@resvg/resvg-wasm/index_bg.wasm',
  'preview-font.ttf': 'node_modules/dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf',
}

await build({
  configFile: false,
  root,
  logLevel: 'error',
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: process.argv[2],
    emptyOutDir: true,
    // Stack traces in the log keep their names and lines.
    minify: false,
    target: 'node26',
    rolldownOptions: {
      input: {
        main: join(root, 'src', 'main.ts'),
        'sqlite-worker-thread': join(root, 'src', 'storage', 'engine', 'sqlite-worker-thread.ts'),
        'picture-thread': join(root, 'src', 'api', 'previews', 'picture-thread.ts'),
      },
      preserveEntrySignatures: false,
      output: {
        // CommonJS: an ES module that imports node:http also loads all of Node's fetch, a tenth of the start.
        format: 'cjs',
        entryFileNames: '[name].cjs',
        chunkFileNames: '[name].cjs',
        // An eighth of the text. Each start reads all of it to find its compiled form; lines and names stay.
        comments: false,
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: 'service', test: (id) => !ON_DEMAND.test(id.replaceAll('\\', '/')) }],
        },
      },
      plugins: [
        // After the chunks are printed, which would write the characters themselves again.
        {
          name: 'ascii',
          generateBundle(_, chunks) {
            for (const chunk of Object.values(chunks))
              if (chunk.type === 'chunk') chunk.code = escapeNonAscii(chunk.code)
          },
        },
        recordPackages(process.argv[2], Object.values(ASSETS)),
      ],
    },
  },
})

for (const [name, source] of Object.entries(ASSETS)) copyFileSync(join(root, source), join(process.argv[2], name))

// For `daybook --version`.
writeFileSync(join(process.argv[2], 'build.json'), JSON.stringify({ commit: findCommit(), built_at: builtAt() }))

/** Undefined where this is no clone, or git is not installed. */
function findCommit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  const isOwnClone = existsSync(join(root, '.git'))
  return isOwnClone && status === 0 ? stdout.trim() : undefined
}

/** SOURCE_DATE_EPOCH makes builds reproducible. */
function builtAt() {
  const { SOURCE_DATE_EPOCH: seconds } = process.env
  return (seconds ? new Date(Number(seconds) * 1_000) : new Date()).toISOString()
}

/** V8 keeps an ASCII source in half the memory. Comments aside, other characters are in strings and patterns only. */
function escapeNonAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
