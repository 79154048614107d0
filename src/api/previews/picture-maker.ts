// Draws preview pictures in a worker thread, which starts with the first one and ends when idle.
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { readVariable } from '../../environment.ts'
import { AppError } from '../../errors.ts'
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

/** Why pictures were not drawn though nothing is wrong with what is on them. */
export type PictureRefusal = 'service_closing' | 'too_slow' | 'thread_ended'

/** The same picture is likely to be as slow in five seconds. */
const RETRY_SLOW_AFTER_S = '60'

export interface PictureMakerOptions {
  idleMs?: number
  maxDrawingMs?: number
  /** Called once for all pictures that are refused together. */
  onRefused?: (reason: PictureRefusal, cause?: unknown) => void
}

export function createPictureMaker(options: PictureMakerOptions = {}): PictureMaker {
  const { idleMs = IDLE_MS, maxDrawingMs = MAX_DRAWING_MS, onRefused = () => {} } = options
  let isClosed = false
  let worker: Worker | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let lastId = 0
  const pending = new Map<number, PendingPicture>()

  const refuseAll = (reason: PictureRefusal, cause?: unknown): void => {
    const refused = [...pending.values()]
    pending.clear()
    if (refused.length > 0) onRefused(reason, cause)
    const headers: Record<string, string> = reason === 'too_slow' ? { 'retry-after': RETRY_SLOW_AFTER_S } : {}
    for (const { reject } of refused) reject(new AppError('service_unavailable', { headers, cause }))
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
    let failure: unknown
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
      refuseAll('thread_ended', failure)
    })
    return started
  }

  return {
    async draw(card) {
      clearTimeout(idleTimer)
      if (isClosed) throw new AppError('service_unavailable')
      worker ??= start()
      worker.ref()
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
      const id = ++lastId
      pending.set(id, { resolve, reject })
      worker.postMessage({ id, card } satisfies PictureRequest)
      const limit = setTimeout(() => {
        refuseAll('too_slow')
        void end()
      }, maxDrawingMs)
      try {
        return await promise
      } finally {
        clearTimeout(limit)
      }
    },
    isRunning: () => worker !== undefined,
    async close() {
      isClosed = true
      clearTimeout(idleTimer)
      refuseAll('service_closing')
      await end()
    },
  }
}
