// Files of the built web app with their compressed forms, each read when first needed.
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Language } from '../../domain/languages.ts'
import { etagOfBytes } from '../../http/responses/conditional.ts'
import type { Encoding } from '../../http/responses/encoding.ts'
import { markSharedBytes } from '../../http/responses/response-writer.ts'
import { ROOT } from '../../installation.ts'

export interface BuiltFile {
  type: string
  bytes: Buffer
  etag: string
  forms: Record<Encoding, Buffer>
}

export interface BuiltWebApp {
  /** By its path under the root, such as `/assets/app-1a2b3c.js`. */
  files: ReadonlyMap<string, BuiltFile>
  /** What the page of the web app loads at once. */
  scripts: readonly string[]
  styles: readonly string[]
  /** What the scripts load next, named in the page so that it is loaded with them: the words. */
  preloads(language: Language): readonly string[]
  /** Reads the files that no request has asked for yet: an upgrade may replace them while the service runs. */
  readAll(): Promise<void>
}

interface ManifestEntry {
  file: string
  css?: string[]
  /** Names of other entries. */
  imports?: string[]
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const ENTRY = 'app/main.tsx'

/** Names of the folders of words in the sources. */
const FOLDERS: Record<Language, string> = {
  'en-GB': 'english',
  'en-US': 'american',
  de: 'german',
  fr: 'french',
  es: 'spanish',
  cy: 'welsh',
  pl: 'polish',
}

let known: BuiltWebApp | undefined

/** Undefined if the web app is not built: the service works without its pages. */
export function findBuiltWebApp(folder = join(ROOT, 'web', 'dist')): BuiltWebApp | undefined {
  known ??= readBuilt(folder)
  return known
}

function readBuilt(folder: string): BuiltWebApp | undefined {
  let names: string[]
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    return undefined
  }
  const files = new Map<string, LazyFile>()
  for (const name of names) {
    const type = TYPES[extname(name)]
    if (type) files.set(`/${relative('.', name).split(sep).join('/')}`, new LazyFile(join(folder, name), type))
  }
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Record<string, ManifestEntry>
  const { file, css = [] } = manifest[ENTRY]!
  const preloads = (language: Language): string[] => {
    const known = filesOf(manifest, [ENTRY])
    const next = filesOf(manifest, [`words/${FOLDERS[language]}/first.ts`])
    return [...next].filter((path) => !known.has(path))
  }
  const readAll = async (): Promise<void> => {
    for (const lazy of files.values()) {
      await nextTurn()
      lazy.read()
    }
  }
  return { files, scripts: [`/${file}`], styles: css.map((style) => `/${style}`), preloads, readAll }
}

/** The files of these entries, and of all that they import before they run. */
function filesOf(manifest: Record<string, ManifestEntry>, names: readonly string[]): Set<string> {
  const paths = new Set<string>()
  const add = (name: string): void => {
    const { file, imports = [] } = manifest[name]!
    if (paths.has(`/${file}`)) return
    paths.add(`/${file}`)
    imports.forEach(add)
  }
  names.forEach(add)
  return paths
}

/** Reading and hashing all of them takes a tenth of a start. */
class LazyFile implements BuiltFile {
  readonly type: string
  readonly #path: string
  #content: Omit<BuiltFile, 'type'> | undefined

  constructor(path: string, type: string) {
    this.#path = path
    this.type = type
  }

  get bytes(): Buffer {
    return this.read().bytes
  }

  get etag(): string {
    return this.read().etag
  }

  get forms(): BuiltFile['forms'] {
    return this.read().forms
  }

  read(): Omit<BuiltFile, 'type'> {
    this.#content ??= readForms(this.#path)
    return this.#content
  }
}

function readForms(path: string): Omit<BuiltFile, 'type'> {
  const bytes = readShared(path)
  const forms = { br: readShared(`${path}.br`), gzip: readShared(`${path}.gz`) }
  return { bytes, etag: etagOfBytes(bytes), forms }
}

const readShared = (path: string): Buffer => markSharedBytes(readFileSync(path))
