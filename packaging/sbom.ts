// Software bill of materials of a release: CycloneDX 1.6 JSON, the same bytes for the same commit.
import { createHash } from 'node:crypto'
import type { BuildFacts } from './release.ts'
import type { ThirdPartyPackage } from './third-party.ts'

export interface Sbom {
  bomFormat: 'CycloneDX'
  specVersion: '1.6'
  serialNumber: string
  version: number
  metadata: { timestamp: string; component: SbomComponent }
  components: SbomComponent[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

interface SbomComponent {
  type: 'application' | 'library'
  'bom-ref': string
  group?: string
  name: string
  version: string
  scope?: 'required' | 'optional'
  licenses: ({ license: { id: string } } | { expression: string })[]
  hashes?: { alg: 'SHA-512'; content: string }[]
  purl: string
}

/** `bundled` is inside the archive; of `runtimes`, npm installs the one for the machine. */
export function createSbom(
  { version, commit, built_at }: BuildFacts,
  bundled: readonly ThirdPartyPackage[],
  runtimes: readonly Omit<ThirdPartyPackage, 'licenceText'>[],
): Sbom {
  const component: SbomComponent = {
    type: 'application',
    'bom-ref': `pkg:npm/daybook@${version}`,
    name: 'daybook',
    version,
    licenses: [{ license: { id: 'MIT' } }],
    purl: `pkg:npm/daybook@${version}`,
  }
  const components = [
    ...bundled.map((one) => presentPackage(one, 'required')),
    ...runtimes.map((one) => presentPackage(one, 'optional')),
  ]
  const dependsOn = components.map((one) => one['bom-ref'])
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf([commit, built_at, component['bom-ref'], ...dependsOn].join('\n'))}`,
    version: 1,
    metadata: { timestamp: built_at, component },
    components,
    dependencies: [{ ref: component['bom-ref'], dependsOn }, ...dependsOn.map((ref) => ({ ref, dependsOn: [] }))],
  }
}

function presentPackage(
  { name, version, licence, integrity }: Omit<ThirdPartyPackage, 'licenceText'>,
  scope: 'required' | 'optional',
): SbomComponent {
  const [group, plain] = name.startsWith('@') ? (name.split('/') as [string, string]) : [undefined, name]
  const purl = `pkg:npm/${group ? `${encodeURIComponent(group)}/` : ''}${plain}@${version}`
  const sha512 = integrity?.startsWith('sha512-')
    ? Buffer.from(integrity.slice(7), 'base64').toString('hex')
    : undefined
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group ? { group } : {}),
    name: plain,
    version,
    scope,
    licenses: [/^[\w.+-]+$/.test(licence) ? { license: { id: licence } } : { expression: licence }],
    ...(sha512 ? { hashes: [{ alg: 'SHA-512' as const, content: sha512 }] } : {}),
    purl,
  }
}

/** RFC 9562 §5.8: a UUID of a hash. */
function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest()
  hash[6] = (hash[6]! & 0x0f) | 0x80
  hash[8] = (hash[8]! & 0x3f) | 0x80
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
