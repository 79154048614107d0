// Detects clients that disconnect before the response: aborts their work and logs no failure.
import type { FastifyReply } from 'fastify'

class ClientGoneError extends Error {}

/** Aborted when the connection closes before the response was sent. */
export function createDisconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => controller.abort(new ClientGoneError('the client closed the connection'))
  if (raw.destroyed) abort()
  raw.once('close', () => {
    if (!raw.writableFinished) abort()
  })
  return controller.signal
}

/** Whether a response failed only because the client had disconnected. */
export const isClientGone = (error: unknown, { raw }: FastifyReply): boolean =>
  error instanceof ClientGoneError ||
  (raw.destroyed && (error as { code?: string } | undefined)?.code === 'ERR_STREAM_PREMATURE_CLOSE')
