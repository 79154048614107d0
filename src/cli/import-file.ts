// Opens the file of `daybook import` for random access; standard input and pipes are first copied to a temporary file.
import { closeSync, createReadStream, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ImportSource } from '../actions/import-source.ts'

export interface ImportFile {
  source: ImportSource
  close(): void
}

export async function openImportFile(name: string): Promise<ImportFile> {
  try {
    if (name === '-') return await openCopyOf(process.stdin)
    const fd = openSync(name, 'r')
    if (fstatSync(fd).isFile()) return { source: sourceOf(fd), close: () => closeSync(fd) }
    closeSync(fd)
    return await openCopyOf(createReadStream(name))
  } catch (error) {
    throw unreadable(name, error)
  }
}

const unreadable = (name: string, error: unknown): Error =>
  new Error(`${name} cannot be read: ${(error as { code?: string }).code ?? 'unknown'}`)

/** One buffer for all reads: a new one for each window would leave memory to the allocator that it does not give back. */
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

/** In a folder that only its owner can read; it may be private, and it may be larger than memory. */
async function openCopyOf(stream: Readable): Promise<ImportFile> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-import-'))
  try {
    const file = await open(join(folder, 'calendar.ics'), 'wx+', 0o600)
    await file.writeFile(stream)
    await file.close()
    const fd = openSync(join(folder, 'calendar.ics'), 'r')
    return {
      source: sourceOf(fd),
      close() {
        closeSync(fd)
        rmSync(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}
