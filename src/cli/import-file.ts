// Opens the file of `daybook import` for random access; pipes are first copied to a temporary file.
import { closeSync, createReadStream, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ImportSource } from '../actions/transfer/import-source.ts'

export interface ImportFile {
  source: ImportSource
  close(): Promise<void> | void
}

export async function openImportFile(name: string): Promise<ImportFile> {
  try {
    return name === '-' ? await openCopyOf(process.stdin) : await openByName(name)
  } catch (error) {
    throw unreadable(name, error)
  }
}

/** A pipe is opened only once, because its writer ends when it is closed. A device may never end. */
async function openByName(name: string): Promise<ImportFile> {
  const fd = openSync(name, 'r')
  const about = fstatSync(fd)
  if (about.isFile()) return { source: sourceOf(fd), close: () => closeSync(fd) }
  if (about.isFIFO() || about.isSocket()) return openCopyOf(createReadStream('', { fd }))
  closeSync(fd)
  throw Object.assign(new Error('not a file'), { code: about.isDirectory() ? 'EISDIR' : 'not a file or a pipe' })
}

const unreadable = (name: string, error: unknown): Error =>
  new Error(`${name} cannot be read: ${(error as { code?: string }).code ?? 'unknown'}`)

/** One buffer for all reads: a new one per window would leave memory in the allocator that it does not return. */
function sourceOf(fd: number): ImportSource {
  let buffer = Buffer.alloc(0)
  return {
    size: fstatSync(fd).size,
    read(at, length) {
      if (buffer.length < length) buffer = Buffer.allocUnsafeSlow(length)
      const bytes = buffer.subarray(0, length)
      let filled = 0
      for (let count = -1; filled < length && count !== 0; filled += count)
        count = readSync(fd, bytes, filled, length - filled, at + filled)
      return bytes.subarray(0, filled)
    },
  }
}

/** In an unlinked file, which disappears with the process in any case: it may be private, and larger than memory. */
async function openCopyOf(stream: Readable): Promise<ImportFile> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-import-'))
  try {
    const file = await open(join(folder, 'calendar.ics'), 'wx+', 0o600)
    rmSync(folder, { recursive: true })
    await file.writeFile(stream)
    return { source: sourceOf(file.fd), close: () => file.close() }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}
