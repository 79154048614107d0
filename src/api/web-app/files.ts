// Files of the built web app with their compressed forms, each read when first needed.
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Language } from '../../domain/languages.ts'
import type { View } from '../../domain/time/window.ts'
import { etagOfBytes } from '../../http/responses/conditional.ts'
import type { Encoding } from '../../http/responses/encoding.ts'
import { markSharedBytes } from '../../http/responses/response-writer.ts'
import { ROOT } from '../../installation.ts'
import { sourceHash } from '../static.ts'

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
  /** For the head of pages: opens them again in the language chosen in this browser. Undefined if it was not built. */
  languageScript: InlineScript | undefined
  /** What the calendar page loads besides; some views need more. */
  calendar: { scripts: readonly string[]; styles: readonly string[]; views: Partial<Record<View, readonly string[]>> }
  /** What the scripts load next, named in the page so that it is loaded with them: the words. */
  preloads(language: Language): readonly string[]
  /** Reads the files that no request has asked for yet: an upgrade may replace them while the service runs. */
  readAll(): Promise<void>
}

/** A script inside the page, which the browser runs for its hash. */
export interface InlineScript {
  source: string
  /** As a Content-Security-Policy names it, without the quotation marks. */
  hash: string
}

interface ManifestEntry {
  file: string
  css?: string[]
  /** Names of other entries. */
  imports?: string[]
}

type Manifest = Record<string, ManifestEntry>

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const ENTRY = 'app/main.tsx'
const LANGUAGE_SCRIPT = '/language.js'
const CALENDAR = 'pages/calendar/calendar-page.tsx'

/** Parts of FullCalendar that the app loads for these views only. */
const VIEW_PARTS: Partial<Record<View, string>> = { week: 'timegrid', day: 'timegrid', year: 'multimonth' }

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
  const languageScript = files.has(LANGUAGE_SCRIPT) ? readInline(join(folder, LANGUAGE_SCRIPT)) : undefined
  files.delete(LANGUAGE_SCRIPT)
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
  const { file } = manifest[ENTRY]!
  const app = listNeeded(manifest, ENTRY)
  const calendar = listNeeded(manifest, CALENDAR)
  const preloads = (language: Language): string[] =>
    listNeeded(manifest, `words/${FOLDERS[language]}/first.ts`).scripts.filter((path) => !app.scripts.includes(path))
  const viewScripts = Object.entries(VIEW_PARTS).map(([view, part]) => {
    const { scripts } = listNeeded(manifest, `../node_modules/fullcalendar/${part}.js`)
    return [view, scripts.filter((path) => !calendar.scripts.includes(path))]
  })
  const readAll = async (): Promise<void> => {
    for (const lazy of files.values()) {
      await nextTurn()
      lazy.read()
    }
  }
  return {
    files,
    scripts: [`/${file}`],
    styles: app.styles,
    languageScript,
    preloads,
    calendar: {
      scripts: calendar.scripts.filter((path) => path !== `/${file}`),
      styles: calendar.styles.filter((path) => !app.styles.includes(path)),
      views: Object.fromEntries(viewScripts),
    },
    readAll,
  }
}

function readInline(path: string): InlineScript {
  const source = readFileSync(path, 'utf8').trim()
  return { source, hash: sourceHash(source) }
}

/** The files of an entry and of all that it imports. */
function listNeeded(manifest: Manifest, entry: string): { scripts: string[]; styles: string[] } {
  const names = new Set([entry])
  for (const name of names) for (const imported of manifest[name]!.imports ?? []) names.add(imported)
  const entries = [...names].map((name) => manifest[name]!)
  const styles = entries.flatMap(({ css = [] }) => css)
  return { scripts: entries.map(({ file }) => `/${file}`), styles: [...new Set(styles)].map((path) => `/${path}`) }
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
