// Buffers texts in a temporary file: the producer does not wait, failures arrive in order, the file is removed.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bufferInFile } from '../../../src/actions/feeds/file-buffer.ts'

const PIECE = 'é'.repeat(100_000)

/** Resolves `ended` when the texts were read to their end, or the consumer stopped. */
function makeTexts(count: number, failure?: Error) {
  const ended = Promise.withResolvers<void>()
  let taken = 0
  async function* texts(): AsyncGenerator<string> {
    try {
      for (; taken < count; taken++) yield PIECE
      if (failure) throw failure
    } finally {
      ended.resolve()
    }
  }
  return { texts: texts(), ended: ended.promise, taken: () => taken }
}

async function collect(pieces: AsyncIterable<Buffer>, parts: Buffer[] = []): Promise<string> {
  for await (const piece of pieces) parts.push(piece)
  return Buffer.concat(parts).toString()
}

/** With its own folder for temporary files, which may be missing. */
async function withFolder(isThere: boolean, act: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-test-'))
  const before = process.env.TMPDIR
  process.env.TMPDIR = isThere ? folder : join(folder, 'missing')
  try {
    await act(folder)
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the producer finishes although its consumer has read one piece, and the rest is read from the file', () =>
  withFolder(true, async (folder) => {
    const { texts, ended } = makeTexts(20)
    const pieces = bufferInFile(texts, (work) => work())
    const first = await pieces.next()
    await ended
    assert.deepEqual(readdirSync(folder), [], 'the file has no name')
    assert.ok((await collect(pieces, [first.value])) === PIECE.repeat(20))
  }))

test('a failure of the producer reaches the consumer after everything produced before it', () =>
  withFolder(true, async () => {
    const { texts } = makeTexts(3, new Error('broken'))
    const parts: Buffer[] = []
    await assert.rejects(
      collect(
        bufferInFile(texts, (work) => work()),
        parts,
      ),
      /broken/,
    )
    assert.ok(Buffer.concat(parts).toString() === PIECE.repeat(3))
  }))

test('a consumer that stops reading ends the producer', () =>
  withFolder(true, async () => {
    const { texts, ended, taken } = makeTexts(Number.POSITIVE_INFINITY)
    const pieces = bufferInFile(texts, (work) => work())
    await pieces.next()
    await pieces.return(undefined)
    await ended
    assert.ok(taken() < Number.POSITIVE_INFINITY)
  }))

test('where no temporary file can be created the texts are passed on unbuffered', () =>
  withFolder(false, async () => {
    const { texts, taken } = makeTexts(3)
    const pieces = bufferInFile(texts, (work) => work())
    const first = await pieces.next()
    assert.equal(taken(), 0)
    assert.ok((await collect(pieces, [first.value])) === PIECE.repeat(3))
  }))
