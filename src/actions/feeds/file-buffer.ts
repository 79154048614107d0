// Buffers texts in a temporary file, so that their producer never waits for a slow consumer.
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail } from '../../errors.ts'

const CHUNK_BYTES = 256 * 1_024

/** Runs the work that takes texts from the producer, once it has a permit. */
export type ProducerPermit = (work: () => Promise<void>) => Promise<void>

/** Called with the length of everything, before the first bytes. */
export type OnWhole = (bytes: number) => void

/**
 * Yields the texts as bytes; they are taken from the producer as fast as they come. If the file cannot be created or is
 * full, the remaining texts are taken as they are consumed. With `onWhole` nothing is yielded before the file is whole,
 * and if it cannot be written, this fails.
 */
export async function* bufferInFile(
  texts: AsyncGenerator<string>,
  withPermit: ProducerPermit,
  onWhole?: OnWhole,
): AsyncGenerator<Buffer> {
  const path = join(tmpdir(), `daybook-export-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600).catch(() => undefined)
  if (!file && onWhole) fail('service_unavailable')
  if (!file) return yield* encodeTexts(texts)
  try {
    // Unlinked at once, so nothing is left if the process ends.
    await rm(path).catch(() => {})
    yield* follow(texts, file, withPermit, onWhole)
  } finally {
    await file.close()
    await rm(path, { force: true }).catch(() => {})
  }
}

async function* encodeTexts(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text)
}

interface BufferProgress {
  written: number
  isEnded: boolean
  isStopped: boolean
  /** Taken from the producer but not in the file. */
  unwritten?: Buffer
  failure?: { error: unknown }
  changed: PromiseWithResolvers<void>
}

/** Reads the file behind its writer. */
async function* follow(
  texts: AsyncGenerator<string>,
  file: FileHandle,
  withPermit: ProducerPermit,
  onWhole?: OnWhole,
): AsyncGenerator<Buffer> {
  const progress: BufferProgress = { written: 0, isEnded: false, isStopped: false, changed: Promise.withResolvers() }
  const writing = withPermit(() => writeTexts(texts, file, progress))
    .catch((error) => {
      progress.failure = { error }
    })
    .finally(() => {
      progress.isEnded = true
      notify(progress)
    })
  try {
    if (onWhole) {
      await writing
      if (progress.failure) throw progress.failure.error
      if (progress.unwritten) fail('service_unavailable')
      onWhole(progress.written)
    }
    for (let position = 0; position < progress.written || !progress.isEnded; ) {
      if (position === progress.written) await progress.changed.promise
      else {
        const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, progress.written - position))
        const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
        if (bytesRead === 0) throw new Error('a temporary file is shorter than what was written to it')
        position += bytesRead
        yield chunk.subarray(0, bytesRead)
      }
    }
    if (progress.failure) throw progress.failure.error
    if (progress.unwritten) {
      yield progress.unwritten
      yield* encodeTexts(texts)
    }
  } finally {
    progress.isStopped = true
    await writing
    await texts.return(undefined)
  }
}

async function writeTexts(texts: AsyncGenerator<string>, file: FileHandle, progress: BufferProgress): Promise<void> {
  while (!progress.isStopped) {
    const next = await texts.next()
    if (next.done) return
    const bytes = Buffer.from(next.value)
    try {
      await writeWhole(file, bytes, progress.written)
    } catch {
      progress.unwritten = bytes
      return
    }
    progress.written += bytes.length
    notify(progress)
  }
}

async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}

function notify(progress: BufferProgress): void {
  progress.changed.resolve()
  progress.changed = Promise.withResolvers()
}
