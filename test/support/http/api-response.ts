// A response of the service as tests read it.
import type { Response } from 'light-my-request'

// biome-ignore lint/suspicious/noExplicitAny: tests read any field of a response; its schema is checked on arrival.
export type Json = any

export interface ApiResponse {
  status: number
  headers: Response['headers']
  body: Json
  text: string
  /** As received, compressed or not. */
  bytes: Buffer
}
