// The release archive: what is inside, licences of bundled code, SBOM, checksums, the same bytes twice.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { PACKAGES_FILE } from '../../packaging/record-packages.ts'
import { makeRelease } from '../../packaging/release.ts'
import { withoutDeadLinks } from '../../packaging/release-documents.ts'
import type { Sbom } from '../../packaging/sbom.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'daybook-release-test-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const [archivePath, sbomPath, sumsPath] = makeRelease(folder) as [string, string, string]
const files = readArchive(readFileSync(archivePath))
const textOf = (path: string): string => files.get(path)!.toString('utf8')
const jsonOf = <T>(path: string): T => JSON.parse(textOf(path))

/** Path without "package/" → content. Headers of 512 bytes: the name at 0, the size in octal at 124, a prefix at 345. */
function readArchive(archive: Buffer): Map<string, Buffer> {
  const tar = gunzipSync(archive)
  const found = new Map<string, Buffer>()
  const field = (from: number, length: number): string =>
    tar.toString('utf8', from, from + length).replace(/\0.*$/s, '')
  for (let at = 0; tar[at]; ) {
    const size = Number.parseInt(field(at + 124, 12), 8)
    const path = [field(at + 345, 155), field(at, 100)].filter(Boolean).join('/')
    found.set(path.replace(/^package\//, ''), tar.subarray(at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
  return found
}

test('the text of the bundle is ASCII, which takes half the memory', () => {
  const bundled = [...files.keys()].filter((path) => path.startsWith('dist/') && path.endsWith('.cjs'))
  assert.ok(bundled.length > 10)
  for (const path of bundled) assert.doesNotMatch(files.get(path)!.toString('latin1'), /[^\0-\x7f]/, path)
})

test('a release has the bundle, the pages in three forms, the launcher, licences and facts of the build', () => {
  for (const path of ['bin/daybook.mjs', 'bin/launcher.mjs', 'dist/main.cjs', 'dist/sqlite-worker-thread.cjs'])
    assert.ok(files.has(path), path)
  for (const path of ['LICENSE', 'README.md', 'CHANGELOG.md', 'THIRD-PARTY.txt', 'sbom.cdx.json', 'docs/operations.md'])
    assert.ok(files.has(path), path)
  const pages = [...files.keys()].filter((path) => /^web\/dist\/.*\.(?:js|css|svg)$/.test(path))
  assert.ok(pages.length > 10)
  for (const path of pages) assert.ok(files.has(`${path}.br`) && files.has(`${path}.gz`), path)
  const facts = jsonOf<Record<string, string>>('build.json')
  assert.deepEqual(Object.keys(facts), ['version', 'commit', 'built_at'])
  assert.match(facts.commit!, /^(?:[0-9a-f]{40}(?:-modified)?|unknown)$/)
  assert.match(facts.built_at!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
})

test('a release has no source, no test, no package and no path of the machine that built it', () => {
  const allowed =
    /^(?:bin\/[a-z-]+\.mjs|dist\/[\w.-]+\.cjs|dist\/(?:resvg\.wasm|preview-font\.ttf)|web\/dist\/|docs\/[a-z-]+\.md|packaging\/(?:daybook\.(?:service|sysusers)|grafana-dashboard\.json)|[\w.-]+$)/
  assert.deepEqual(
    [...files.keys()].filter((path) => !allowed.test(path) || /\.tsx?$|\.map$|(?:^|\/)\./.test(path)),
    [],
  )
  for (const [path, bytes] of files) assert.ok(!bytes.includes(ROOT), path)
})

test('links of the documents lead to files of the release, and to headings that exist', () => {
  const documents = [...files.keys()].filter((path) => path.endsWith('.md'))
  assert.ok(documents.includes('docs/scaling.md') && documents.includes('SECURITY.md'))
  let count = 0
  for (const path of documents) {
    const links = textOf(path).matchAll(
      /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)|(?:src|srcset)="(?!https?:)([^"]+)"/g,
    )
    for (const [, link, heading, source] of links) {
      count++
      const target = source ?? link
      const to = target ? posix.join(posix.dirname(path), target) : path
      assert.ok(files.has(to), `${path} → ${to}`)
      if (heading) assert.ok(headingsOf(to).includes(heading), `${path} → ${to}#${heading}`)
    }
  }
  assert.ok(count > 100, 'the links were found')
})

const headingsOf = (path: string): string[] =>
  [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )

test('words of a link to a file outside the release stay; references and rows that are nothing else go', () => {
  const exists = (target: string): boolean => target === 'settings.md'
  const before = [
    '| see | [a](settings.md), [b](tests.md#x) |',
    '| see why | [b](tests.md) |',
    'See [the tests](tests.md), [settings](settings.md#x) and [more](#more) ([D1](decisions.md#d1)).',
    '<picture>\n  <img src="a.png">\n</picture>',
    '',
    'End',
  ]
  assert.equal(
    withoutDeadLinks(before.join('\n'), exists),
    '| see | [a](settings.md), b |\nSee the tests, [settings](settings.md#x) and [more](#more).\nEnd',
  )
})

test('files that the launcher imports are in the release', () => {
  for (const path of [...files.keys()].filter((name) => name.startsWith('bin/')))
    for (const [, target] of textOf(path).matchAll(/(?:from |new URL\()'\.\/([^']+)'/g))
      assert.ok(files.has(`bin/${target}`), `${path} needs ${target}`)
})

test('npm installs only Node for a release, and may publish it', () => {
  const manifest = jsonOf<Record<string, unknown>>('package.json')
  const checkout = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const name of ['private', 'dependencies', 'devDependencies', 'scripts', 'overrides'])
    assert.ok(!(name in manifest), name)
  assert.deepEqual(manifest.optionalDependencies, checkout.optionalDependencies)
  assert.deepEqual(manifest.bin, { daybook: 'bin/daybook.mjs' })
  assert.equal(manifest.version, checkout.version)
  assert.equal(jsonOf<{ version: string }>('build.json').version, checkout.version)
})

test('what the bundle loads is in it, or part of Node', () => {
  for (const [path, bytes] of files) {
    if (!path.startsWith('dist/')) continue
    for (const [, name] of bytes.toString('latin1').matchAll(/^\s*(?:const|let|var) .*\brequire\("([^"]+)"\)/gm)) {
      if (name!.startsWith('./')) assert.ok(files.has(`dist/${name!.slice(2)}`), `${path} needs ${name}`)
      else assert.ok(isBuiltin(name!), `${path} needs ${name}`)
    }
  }
})

test('every package in the bundle and the pages has its licence with text in THIRD-PARTY.txt', () => {
  const text = textOf('THIRD-PARTY.txt')
  const sections = new Map(
    text
      .split(/^={80}\n/m)
      .slice(1)
      .map((section) => [section.split(' ')[0]!, section]),
  )
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const recorded = ['dist', join('web', 'dist')].flatMap((built) => {
    const paths: string[] = JSON.parse(readFileSync(join(ROOT, built, PACKAGES_FILE), 'utf8'))
    return paths.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  })
  assert.ok(recorded.length > Object.keys(dependencies).length, 'packages of packages too')
  for (const name of [...recorded, ...Object.keys(dependencies)]) {
    const section = sections.get(name)
    assert.ok(section, `${name} is in the bundle`)
    assert.match(section, /^Licence: \S+/m, name)
    assert.match(section, /copyright|permission is hereby granted/i, `the licence of ${name}`)
  }
  for (const tool of ['typescript', '@biomejs/biome', 'playwright-core']) assert.ok(!sections.has(tool), tool)
})

test('the SBOM is CycloneDX 1.6 and has every package once, with licence and hash', () => {
  const sbom = JSON.parse(readFileSync(sbomPath, 'utf8')) as Sbom
  assert.deepEqual(jsonOf('sbom.cdx.json'), sbom)
  assert.equal(sbom.bomFormat, 'CycloneDX')
  assert.equal(sbom.specVersion, '1.6')
  assert.match(sbom.serialNumber, /^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.equal(sbom.metadata.component.purl, `pkg:npm/daybook@${sbom.metadata.component.version}`)
  const refs = sbom.components.map((component) => component['bom-ref'])
  assert.equal(new Set(refs).size, refs.length)
  assert.deepEqual(sbom.dependencies[0]!.dependsOn, refs)
  for (const { purl, licenses, hashes } of sbom.components) {
    assert.match(purl, /^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d/)
    assert.equal(licenses.length, 1, purl)
    assert.match(hashes![0]!.content, /^[0-9a-f]{128}$/, purl)
  }
  const sections = textOf('THIRD-PARTY.txt').match(/^={80}\n/gm)!.length
  assert.equal(sbom.components.filter(({ scope }) => scope === 'required').length, sections)
})

test('SHA256SUMS has the sums of the archive and of the SBOM, and the same commit makes the same archive', () => {
  const sum = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
  const version = jsonOf<{ version: string }>('package.json').version
  const expected = `${sum(archivePath)}  daybook-${version}.tgz\n${sum(sbomPath)}  daybook-${version}.cdx.json\n`
  assert.equal(readFileSync(sumsPath, 'utf8'), expected)
  makeRelease(folder)
  assert.equal(readFileSync(sumsPath, 'utf8'), expected)
})
