// A client of Server-Sent Events over a socket: reads the blocks that arrive, and notices the end.
import { type IncomingMessage, request } from 'node:http'
import { waitFor } from '../measure/wait-for.ts'

const BASE = '/api-root/calendar/v1'

export interface EventStreamClient {
  status: number
  headers: IncomingMessage['headers']
  /** Everything received so far. */
  text(): string
  /** Ids of the `changed` events received so far. */
  ids(): string[]
  /** The id that came with the first block. */
  firstId(): string
  isEnded(): boolean
  changes(count: number): Promise<string[]>
  ended(): Promise<unknown>
  close(): void
}

export function openEventStream(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<EventStreamClient> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path: `${BASE}${path}`, headers, agent: false }, (response) => {
      let text = ''
      let isEnded = false
      response.setEncoding('utf8').on('data', (some: string) => {
        text += some
      })
      response.on('close', () => {
        isEnded = true
      })
      response.on('error', () => {})
      const ids = (): string[] => [...text.matchAll(/^event: changed\nid: (.+)\ndata: \{\}\n\n/gm)].map(([, id]) => id!)
      resolve({
        status: response.statusCode!,
        headers: response.headers,
        text: () => text,
        ids,
        firstId: () => /^retry: \d+\nid: (.+)\n\n/.exec(text)![1]!,
        isEnded: () => isEnded,
        changes: (count) => waitFor(`${count} events`, () => ids().length >= count && ids()),
        ended: () => waitFor('the end of the stream', () => isEnded),
        close: () => void asked.destroy(),
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}
