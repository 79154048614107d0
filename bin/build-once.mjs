// Skips a build whose inputs are unchanged: compares sizes and times of files, and their content only if those differ.
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'

// An import of node:crypto by an ES module would also load Web Crypto.
const { createHash } = createRequire(import.meta.url)('node:crypto')

/** A file that changed this shortly before it was looked at may change once more with the same times. */
const SETTLED_MS = 1_000

/** In each built folder: the inputs that it was built from. */
const MARKER = '.built-from'

/**
 * Makes `folder` by `build`, unless it was built from the same `inputs`: files and folders, without `folder` itself.
 * The new folder is built under `workFolder`, on the same disk, and replaces the old one when it is whole. So
 * processes that build at the same time, or are killed meanwhile, never leave a marker beside files of another build.
 */
export function buildOnce({ folder, inputs, workFolder, build }) {
  const files = listFiles(inputs, folder)
  const stamp = stampOf(files)
  const built = readMarker(folder)
  if (stamp !== '' && built.stamp === stamp) return
  const hash = hashOf(files, workFolder)
  // The times of before the build: a file that was edited meanwhile has others.
  const marker = JSON.stringify({ hash, stamp })
  if (built.hash === hash) return renewMarker(folder, marker)
  removeAbandoned(workFolder)
  const own = join(workFolder, `${process.pid}`)
  const next = join(own, basename(folder))
  mkdirSync(next, { recursive: true })
  try {
    build(next)
    writeFileSync(join(next, MARKER), marker)
    replaceFolder(folder, next, join(own, 'replaced'))
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/** A service that may not write here compares contents again at its next start. */
function renewMarker(folder, marker) {
  try {
    writeFileSync(join(folder, MARKER), marker)
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
  }
}

/** Another process may put its own build there at any moment; that one is replaced too. */
function replaceFolder(folder, next, old) {
  mkdirSync(dirname(folder), { recursive: true })
  for (let tries = 0; ; tries++) {
    try {
      renameSync(folder, `${old}-${tries}`)
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
    try {
      return renameSync(next, folder)
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes(error.code) || tries === 10) throw error
    }
  }
}

/** Folders of builds that were killed, named by the id of their process. */
function removeAbandoned(workFolder) {
  mkdirSync(workFolder, { recursive: true })
  for (const name of readdirSync(workFolder))
    if (!isRunning(Number(name))) rmSync(join(workFolder, name), { recursive: true, force: true })
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Whether there is a build of exactly these inputs, as far as sizes and times can tell. */
export const isBuilt = ({ folder, inputs }) => {
  const { stamp } = readMarker(folder)
  return stamp !== '' && stamp === stampOf(listFiles(inputs, folder))
}

function listFiles(paths, except) {
  return paths.flatMap((path) => {
    if (path === except) return []
    if (statSync(path).isFile()) return [path]
    const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
    return entries.flatMap((entry) => {
      const inner = join(path, entry.name)
      return entry.isFile() ? [inner] : entry.isDirectory() ? listFiles([inner], except) : []
    })
  })
}

/** Empty if a file is so new that its times do not identify its content. ctime changes with every write. */
function stampOf(files) {
  const hash = createHash('sha256')
  let newest = 0n
  for (const file of files) {
    const { size, ino, mtimeNs, ctimeNs } = lstatSync(file, { bigint: true })
    if (ctimeNs > newest) newest = ctimeNs
    hash.update(`${file} ${size} ${ino} ${mtimeNs} ${ctimeNs}\n`)
  }
  const isSettled = BigInt(Date.now() - SETTLED_MS) * 1_000_000n > newest
  return isSettled ? hash.digest('hex') : ''
}

/** The same wherever the project lies: paths count as seen from `base`. */
function hashOf(files, base) {
  const hash = createHash('sha256')
  for (const file of files)
    hash.update(`${relative(base, file)}\n`).update(createHash('sha256').update(readFileSync(file)).digest())
  return hash.digest('hex')
}

/** An unreadable marker, or one of an earlier version, is none. */
function readMarker(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, MARKER), 'utf8'))
  } catch {
    return {}
  }
}
