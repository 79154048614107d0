// Notices a client that closed its connection before it was answered: work for it ends, and no failure is logged.
import type { FastifyReply } from 'fastify'

class ClientGoneError extends Error {}

/** Aborted when the connection closes before the answer was sent. */
export function signalOfClient({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => controller.abort(new ClientGoneError('the client closed the connection'))
  if (raw.destroyed) abort()
  raw.once('close', () => {
    if (!raw.writableFinished) abort()
  })
  return controller.signal
}

/** Whether an answer failed only because its client had gone. */
export const isClientGone = (error: unknown, { raw }: FastifyReply): boolean =>
  error instanceof ClientGoneError ||
  (raw.destroyed && (error as { code?: string } | undefined)?.code === 'ERR_STREAM_PREMATURE_CLOSE')
