// `npm run release`: packs the built service and pages into an archive for npm, with licences, SBOM and checksums.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { removeDeadLinks } from './release-documents.ts'
import { createSbom } from './sbom.ts'
import { formatThirdParty, listBundledPackages, readJson } from './third-party.ts'

/** In the release as build.json. */
export interface BuildFacts {
  version: string
  /** "-modified" at its end: the checkout had changes. Outside a git checkout RELEASE_COMMIT, or "unknown". */
  commit: string
  /** The time of the commit, so that the same commit makes the same bytes. */
  built_at: string
}

const root = join(import.meta.dirname, '..')

/** What the launcher of a release needs; bin/ has more files, for a checkout. */
const LAUNCHER = ['daybook.mjs', 'launcher.mjs', 'build-once.mjs', 'memory-options.mjs', 'end-with-launcher.mjs']

/** For the person who runs or uses it; the rest of docs/ is about the source. */
const DOCUMENTS = [
  'api',
  'backup-format',
  'caldav',
  'doctor',
  'embedding',
  'errors',
  'limits',
  'monitoring',
  'operations',
  'privacy',
  'scaling',
  'security',
  'settings',
  'upgrading',
  'versioning',
]

const FOR_OPERATORS = ['daybook.service', 'daybook.sysusers', 'grafana-dashboard.json']

const COPIED = [
  ...LAUNCHER.map((name) => join('bin', name)),
  ...DOCUMENTS.map((name) => join('docs', `${name}.md`)),
  ...FOR_OPERATORS.map((name) => join('packaging', name)),
  'dist',
  join('web', 'dist'),
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE',
]

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(root, 'release'))
  for (const path of makeRelease(folder)) process.stdout.write(`${path}\n`)
}

/** Writes the archive, its SBOM and SHA256SUMS into `folder`; `dist` and `web/dist` must be built. Returns the paths. */
export function makeRelease(folder: string): string[] {
  const staging = mkdtempSync(join(tmpdir(), 'daybook-release-'))
  try {
    const manifest = readJson<CheckoutManifest>(join(root, 'package.json'))
    const facts = readBuildFacts(manifest.version)
    const bundled = listBundledPackages(root)
    const sbom = formatJson(createSbom(facts, bundled, listRuntimes(manifest)))
    // Names that begin with a dot, and the facts beside the bundle, are notes of the builds.
    for (const path of COPIED)
      cpSync(join(root, path), join(staging, path), {
        recursive: true,
        filter: (source) => !/^\.|^build\.json$/.test(basename(source)),
      })
    removeDeadLinks(staging)
    writeFileSync(join(staging, 'package.json'), formatJson(releaseManifest(manifest)))
    writeFileSync(join(staging, 'build.json'), formatJson(facts))
    writeFileSync(join(staging, 'THIRD-PARTY.txt'), formatThirdParty(bundled))
    writeFileSync(join(staging, 'sbom.cdx.json'), sbom)
    mkdirSync(folder, { recursive: true })
    const archive = `daybook-${facts.version}.tgz`
    pack(staging, folder)
    const sbomName = `daybook-${facts.version}.cdx.json`
    writeFileSync(join(folder, sbomName), sbom)
    const sums = [archive, sbomName].map((name) => `${sha256Of(join(folder, name))}  ${name}\n`)
    writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
    return [archive, sbomName, 'SHA256SUMS'].map((name) => join(folder, name))
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

interface CheckoutManifest {
  name: string
  version: string
  description: string
  license: string
  type: string
  engines: Record<string, string>
  bin: Record<string, string>
  optionalDependencies: Record<string, string>
}

/** Everything but Node is in the bundle, so nothing else is installed. */
function releaseManifest(manifest: CheckoutManifest): object {
  const { name, version, description, license, type, engines, bin, optionalDependencies } = manifest
  const files = [
    'bin',
    'dist',
    'web/dist',
    'docs',
    'packaging',
    'build.json',
    'sbom.cdx.json',
    'THIRD-PARTY.txt',
    'CHANGELOG.md',
    'SECURITY.md',
  ]
  return { name, version, description, license, type, engines, bin, files, optionalDependencies }
}

function listRuntimes({ optionalDependencies }: CheckoutManifest) {
  const lock = readJson<{ packages: Record<string, { integrity?: string; license: string }> }>(
    join(root, 'package-lock.json'),
  )
  return Object.entries(optionalDependencies).map(([name, version]) => {
    const { license, integrity } = lock.packages[`node_modules/${name}`]!
    return { name, version, licence: license, integrity }
  })
}

function readBuildFacts(version: string): BuildFacts {
  const [known, seconds] = git('log', '-1', '--format=%H %ct')?.split(' ') ?? []
  // Where a container image is built, the sources come without their history.
  const commit = known ?? process.env.RELEASE_COMMIT ?? 'unknown'
  const isModified = known !== undefined && git('status', '--porcelain', '--untracked-files=no') !== ''
  // https://reproducible-builds.org/specs/source-date-epoch/
  const epoch = process.env.SOURCE_DATE_EPOCH || seconds || Date.now() / 1_000
  const builtAt = new Date(Number(epoch) * 1_000).toISOString().replace(/\.\d+Z$/, 'Z')
  return { version, commit: isModified ? `${commit}-modified` : commit, built_at: builtAt }
}

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** npm gives every file of an archive the same time and order. */
function pack(staging: string, folder: string): void {
  const isWindows = process.platform === 'win32'
  const { status, stderr } = spawnSync(
    isWindows ? 'npm.cmd' : 'npm',
    ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', isWindows ? `"${folder}"` : folder],
    { cwd: staging, encoding: 'utf8', shell: isWindows },
  )
  if (status !== 0) throw new Error(`npm pack did not succeed: ${stderr}`)
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function sha256Of(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
