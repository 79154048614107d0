// Packages inside the bundle and the pages: name, version, licence and its text, for THIRD-PARTY.txt.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGES_FILE } from './record-packages.ts'

export interface ThirdPartyPackage {
  name: string
  version: string
  licence: string
  licenceText: string
  /** Of the archive in the registry, as package-lock.json has it: "sha512-…". */
  integrity: string | undefined
}

/** SPDX expressions of packages that name their licence in other words. */
const EXPRESSIONS: Record<string, string> = { 'dejavu-fonts-ttf': 'Bitstream-Vera AND LicenseRef-DejaVu' }

interface PackageManifest {
  name: string
  version: string
  license?: string | { type: string }
  author?: string | { name: string }
  repository?: string | { url: string }
}

/** Those whose code `dist` and `web/dist` contain, by name. */
export function listBundledPackages(root: string): ThirdPartyPackage[] {
  const lists = ['dist', join('web', 'dist')].map((folder) => readJson<string[]>(join(root, folder, PACKAGES_FILE)))
  const paths = [...new Set(lists.flat())].sort()
  const lock = readJson<{ packages: Record<string, { integrity?: string }> }>(join(root, 'package-lock.json'))
  const packages = paths.map((path) => readPackage(root, path, lock.packages[path]?.integrity))
  // npm may have placed one version twice.
  const byVersion = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]))
  return [...byVersion.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

function readPackage(root: string, path: string, integrity: string | undefined): ThirdPartyPackage {
  const folder = join(root, path)
  const manifest = readJson<PackageManifest>(join(folder, 'package.json'))
  const { license } = manifest
  const licence = EXPRESSIONS[manifest.name] ?? (typeof license === 'object' ? license.type : license)
  if (!licence) throw new Error(`${path} names no licence`)
  return {
    name: manifest.name,
    version: manifest.version,
    licence,
    licenceText: readLicenceFiles(folder) ?? standardText(licence, manifest),
    integrity,
  }
}

function readLicenceFiles(folder: string): string | undefined {
  const names = readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name))
  if (!names.some((name) => /^(?:licen[cs]e|copying)/i.test(name))) return undefined
  return names.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n')
}

/** Some packages name their licence and do not enclose its text. */
function standardText(licence: string, { name, author, repository }: PackageManifest): string {
  const holder = (typeof author === 'object' ? author.name : author) ?? `the authors of ${name}`
  const text = readFileSync(join(import.meta.dirname, 'licences', `${licence}.txt`), 'utf8')
  // MPL-2.0 §3.2: who gets the program is told where its source is.
  const source = (typeof repository === 'object' ? repository.url : repository) ?? `the package ${name} of npm`
  return text.replace('<holder>', holder).replace('<source>', source).trim()
}

export function formatThirdParty(packages: readonly ThirdPartyPackage[]): string {
  const intro = 'Daybook contains code of the following packages.\n'
  const sections = packages.map(
    ({ name, version, licence, licenceText }) =>
      `${'='.repeat(80)}\n${name} ${version}\nLicence: ${licence}\n\n${licenceText.replaceAll('\r\n', '\n')}\n`,
  )
  return [intro, ...sections].join('\n')
}

export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8'))
}
