// Calls back once a whole successful response was sent: only what the client received is recorded.
import type { FastifyReply } from 'fastify'

export function whenSent({ raw }: FastifyReply, record: () => void): void {
  raw.once('finish', () => {
    if (raw.statusCode < 400) record()
  })
}
