// An answer of the service as tests read it.
import type { Response } from 'light-my-request'

// biome-ignore lint/suspicious/noExplicitAny: stories look into answers freely; their shape is checked on arrival.
export type Json = any

export interface ApiResponse {
  status: number
  headers: Response['headers']
  body: Json
  text: string
  /** As they came, compressed or not. */
  bytes: Buffer
}
