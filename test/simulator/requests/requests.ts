// Sends requests of simulated clients to a node, and tells refusals from failures.
import type { App } from '../../../src/app.ts'
import type { Json } from '../../support/http/api-response.ts'
import { type Dav, davOf } from '../../support/http/dav.ts'
import { ask, basicOf, type Client } from '../../support/world.ts'
import { MismatchError } from '../model/model.ts'

export interface SimulatedNode {
  app: App
  /** Notes a response, for the hash of the episode. */
  record(response: string): void
}

export type SimulatedReader = 'public' | 'writer' | 'admin'

export interface SimulatedResponse {
  status: number
  headers: Record<string, unknown>
  text: string
  /** The `data` of a JSON response. */
  data: Json
}

export interface SimulatedRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Without the base of the API, or a whole path of CalDAV. */
  path: string
  body?: object | string
  headers?: Record<string, string>
}

export const AUTHORIZATION: Record<SimulatedReader, Record<string, string>> = {
  public: {},
  writer: { authorization: basicOf('writer@example.org') },
  admin: { authorization: basicOf('admin@example.org') },
}

export async function sendRequest(
  { app, record }: SimulatedNode,
  reader: SimulatedReader,
  { method = 'GET', path, body, headers = {} }: SimulatedRequest,
): Promise<SimulatedResponse> {
  const payload = typeof body === 'object' ? JSON.stringify(body) : body
  const type = typeof body === 'object' ? { 'content-type': 'application/json' } : {}
  const response = await ask(app, {
    method,
    url: path.startsWith('/caldav') ? path : app.site.base + path,
    headers: { ...AUTHORIZATION[reader], ...type, ...headers },
    ...(payload !== undefined && { payload }),
  })
  const { statusCode: status, payload: text } = response
  record(`${method} ${path} ${status} ${text}`)
  const isJson = String(response.headers['content-type']).startsWith('application/json')
  return { status, headers: response.headers, text, data: isJson && status < 300 ? JSON.parse(text).data : undefined }
}

/** A read that has no reason to fail. */
export async function readOk(node: SimulatedNode, reader: SimulatedReader, path: string): Promise<SimulatedResponse> {
  const response = await sendRequest(node, reader, { path })
  if (response.status !== 200) throw new MismatchError(`GET ${path} as ${reader}: ${response.status} ${response.text}`)
  return response
}

export function davAt({ app, record }: SimulatedNode, authorization = AUTHORIZATION.writer): Dav {
  const send: Client['send'] = async ({ method, url, headers, payload }) => {
    const response = await ask(app, {
      method: method as 'GET',
      url: url as string,
      headers: { ...authorization, ...headers },
      ...(payload !== undefined && { payload: payload as string }),
    })
    const { statusCode: status, payload: text, rawPayload: bytes } = response
    record(`${method} ${url} ${status} ${text}`)
    return { status, headers: response.headers, text, body: undefined, bytes }
  }
  return davOf({ send } as Client)
}

export type Settled = 'done' | 'refused' | 'unavailable'

const REFUSED = [403, 404, 409, 412]

/** Anything else is a defect. */
export function settledBy({ status, text }: Pick<SimulatedResponse, 'status' | 'text'>, what: string): Settled {
  if (status >= 200 && status < 300) return 'done'
  if (REFUSED.includes(status)) return 'refused'
  if (status === 503) return 'unavailable'
  throw new MismatchError(`${what}: ${status} ${text.slice(0, 300)}`)
}
