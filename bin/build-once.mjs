// Skips a build whose inputs are unchanged: compares sizes and times of files, and their content only if those differ.
import { lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// An import of node:crypto by an ES module would also load Web Crypto.
const { createHash } = createRequire(import.meta.url)('node:crypto')

/** A file that changed this shortly before it was looked at may change once more with the same times. */
const SETTLED_MS = 1_000

/**
 * Runs `build` unless `marker`, which a build leaves in its folder, was written for the same `inputs`: files and
 * folders, without `except`.
 */
export function buildOnce({ marker, inputs, except, build }) {
  const files = listFiles(inputs, except)
  const stamp = stampOf(files)
  const built = readMarker(marker)
  if (stamp !== '' && built.stamp === stamp) return
  const hash = hashOf(files)
  if (built.hash !== hash) {
    rmSync(marker, { force: true })
    build()
  }
  // The times of before the build: a file that was edited meanwhile has others.
  writeFileSync(marker, JSON.stringify({ hash, stamp }))
}

/** Whether there is a build of exactly these inputs, as far as sizes and times can tell. */
export const isBuilt = ({ marker, inputs, except }) => {
  const { stamp } = readMarker(marker)
  return stamp !== '' && stamp === stampOf(listFiles(inputs, except))
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

function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\n`).update(createHash('sha256').update(readFileSync(file)).digest())
  return hash.digest('hex')
}

/** An unreadable marker, or one of an earlier version, is none. */
function readMarker(marker) {
  try {
    return JSON.parse(readFileSync(marker, 'utf8'))
  } catch {
    return {}
  }
}
