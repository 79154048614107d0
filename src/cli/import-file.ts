// Opens the file of `daybook import` for random access; pipes are first copied to a temporary file.
import { closeSync, createReadStream, fstatSync, openSync, readSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ImportSource } from '../actions/transfer/import-source.ts'
import { explainWriting } from './explain.ts'
import { describeFileError } from './output/file-error.ts'
import { makeTemporaryFolder } from './output/temporary-folder.ts'

export interface ImportFile {
  source: ImportSource
  close(): Promise<void> | void
}

export async function openImportFile(name: string): Promise<ImportFile> {
  if (name === '-') return openCopyOf(process.stdin, 'standard input')
  const { fd, isPipe } = openByName(name)
  if (isPipe) return openCopyOf(createReadStream('', { fd }), name)
  return { source: sourceOf(fd), close: () => closeSync(fd) }
}

/** A pipe is opened only once, because its writer ends when it is closed. A device may never end. */
function openByName(name: string): { fd: number; isPipe: boolean } {
  try {
    const fd = openSync(name, 'r')
    const about = fstatSync(fd)
    const isPipe = about.isFIFO() || about.isSocket()
    if (isPipe || about.isFile()) return { fd, isPipe }
    closeSync(fd)
    throw Object.assign(new Error('not a file'), { code: about.isDirectory() ? 'EISDIR' : 'not a file or a pipe' })
  } catch (error) {
    throw explainReading(name, error)
  }
}

function explainReading(name: string, error: unknown): Error {
  const { code = 'unknown' } = error as { code?: string }
  if (code === 'ENOENT') return new Error(`there is no file ${name}`)
  return new Error(`${name} cannot be read: ${describeFileError(code) ?? code}`)
}

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
async function openCopyOf(stream: Readable, name: string): Promise<ImportFile> {
  const file = await openUnlinked()
  try {
    for await (const piece of readPieces(stream, name)) await file.appendFile(piece)
    return { source: sourceOf(file.fd), close: () => file.close() }
  } catch (error) {
    await file.close()
    throw explainWriting(tmpdir(), error)
  }
}

async function openUnlinked(): Promise<FileHandle> {
  const folder = makeTemporaryFolder('daybook-import-')
  try {
    return await open(join(folder, 'calendar.ics'), 'wx+', 0o600)
  } catch (error) {
    throw explainWriting(tmpdir(), error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A failure of the stream is explained here, so that it is told from one of the copy. */
async function* readPieces(stream: Readable, name: string): AsyncGenerator<Buffer> {
  try {
    yield* stream
  } catch (error) {
    throw explainReading(name, error)
  }
}
