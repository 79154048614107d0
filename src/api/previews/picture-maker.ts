// Draws preview pictures in a worker thread, which starts with the first one and ends when idle.
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { readVariable } from '../../environment.ts'
import type { PictureReply, PictureRequest } from './picture-thread.ts'
import type { PreviewCard } from './preview-card.ts'

/** The thread takes about 50 MB, of which most are free again once it has ended. */
const IDLE_MS = 10_000
/** A picture takes a tenth of a second. */
const MAX_DRAWING_MS = 20_000
const MAX_HEAP_MIB = 64
/** Beside this module, also in the bundle, where both have another extension. */
const THREAD_URL = new URL(`./picture-thread${extname(import.meta.filename)}`, import.meta.url)

export interface PictureMaker {
  draw(card: PreviewCard): Promise<Buffer>
  isRunning(): boolean
  close(): Promise<void>
}

interface PendingPicture {
  resolve: (png: Buffer) => void
  reject: (error: unknown) => void
}

export function createPictureMaker({ idleMs = IDLE_MS }: { idleMs?: number } = {}): PictureMaker {
  let worker: Worker | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let lastId = 0
  const pending = new Map<number, PendingPicture>()

  const failAll = (error: unknown): void => {
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }

  const end = async (): Promise<void> => {
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }

  const start = (): Worker => {
    const cache = readVariable('NODE_COMPILE_CACHE')
    const started = new Worker(THREAD_URL, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
      // None of the settings of the process, and none of its secrets.
      env: cache ? { NODE_COMPILE_CACHE: cache } : {},
    })
    let failure: unknown = new Error('the thread that draws pictures has ended')
    started.on('message', ({ id, png, error }: PictureReply) => {
      const asked = pending.get(id)
      pending.delete(id)
      if (png) asked?.resolve(Buffer.from(png.buffer, png.byteOffset, png.byteLength))
      else asked?.reject(new Error(error))
      if (pending.size > 0) return
      started.unref()
      idleTimer = setTimeout(() => void end(), idleMs).unref()
    })
    started.on('error', (error) => {
      failure = error
    })
    started.on('exit', () => {
      if (worker !== started && worker !== undefined) return
      worker = undefined
      failAll(failure)
    })
    return started
  }

  return {
    async draw(card) {
      clearTimeout(idleTimer)
      worker ??= start()
      worker.ref()
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
      const id = ++lastId
      pending.set(id, { resolve, reject })
      worker.postMessage({ id, card } satisfies PictureRequest)
      const limit = setTimeout(
        () => void end().then(() => failAll(new Error('a picture took too long'))),
        MAX_DRAWING_MS,
      )
      try {
        return await promise
      } finally {
        clearTimeout(limit)
      }
    },
    isRunning: () => worker !== undefined,
    async close() {
      clearTimeout(idleTimer)
      await end()
      failAll(new Error('the service is closing'))
    },
  }
}
