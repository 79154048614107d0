// API client: calls an operation by its id with the contract’s types; errors become ApiError.
import { type Error as ErrorBody, type Operations, PLACES } from './contract.ts'

export type OperationId = keyof Operations

type Filled<Part, Name extends string> = Part extends undefined
  ? unknown
  : keyof Part extends never
    ? unknown
    : Record<never, never> extends Part
      ? { [K in Name]?: Part }
      : { [K in Name]: Part }

export type ApiRequest<Id extends OperationId> = Filled<Operations[Id]['path'], 'path'> &
  Filled<Operations[Id]['query'], 'query'> &
  Filled<Operations[Id]['body'], 'body'> & {
    /** The ETag of the version this is based on. */
    ifMatch?: string
    /** A request repeated with the same key takes effect once. */
    idempotencyKey?: string
    /** The body, if it is not JSON. */
    file?: Blob
    /** Called with the share of the file that has been sent, from 0 to 1. */
    onUpload?: (share: number) => void
    signal?: AbortSignal
  }

type ErrorDetails = NonNullable<ErrorBody['error']['details']>

/** `code` is the server’s error code, or `offline` if the server could not be reached. */
export class ApiError extends globalThis.Error {
  readonly code: string
  readonly status: number
  readonly details: ErrorDetails
  /** Seconds, from the Retry-After header. */
  readonly retryAfter: number | undefined

  constructor(code: string, status = 0, details: ErrorDetails = {}, retryAfter?: number) {
    super(code)
    this.code = code
    this.status = status
    this.details = details
    this.retryAfter = retryAfter
  }
}

export interface ClientOptions {
  /** The base path of the API, or its absolute URL. */
  base: string
  /** Whether to send the session cookie. */
  isSigned: boolean
  /** Checks whose session it is before a change is sent; false stops the request. */
  isOwnSession?: (session: Operations['getSession']['answer']['data']) => boolean
  /** Called when the server says that the session is over; resolves to whether the user signed in again. */
  onSessionOver?: () => Promise<boolean>
}

export type ApiClient = <Id extends OperationId>(
  id: Id,
  ...ask: Record<never, never> extends ApiRequest<Id> ? [ApiRequest<Id>?] : [ApiRequest<Id>]
) => Promise<Operations[Id]['answer']>

interface RequestParts {
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  ifMatch?: string
  idempotencyKey?: string
  file?: Blob
  onUpload?: (share: number) => void
  signal?: AbortSignal
}

/**
 * Caches the CSRF token, and fetches a new one if the server rejects it. A call that finds the session ended waits
 * until the user has signed in again, and is then repeated once.
 */
export function createClient({ base, isSigned, isOwnSession, onSessionOver }: ClientOptions): ApiClient {
  let token: string | undefined
  const send = async (id: OperationId, asked: RequestParts): Promise<unknown> => {
    const { method, path } = PLACES[id]
    const isChange = isSigned && method !== 'GET'
    if (isChange && token === undefined && !NEEDS_NO_TOKEN.includes(id)) token = await readToken(base, isOwnSession)
    const answer = await request(base + addressOf(path, asked), method, asked, isSigned, isChange ? token : undefined)
    const body = await bodyOf(answer)
    if (id === 'logIn' || id === 'changePassword') token = undefined
    if (answer.ok && (body !== undefined || answer.status === NO_CONTENT)) return body
    throw errorOf(answer, body)
  }
  return (async (id: OperationId, asked: RequestParts = {}) => {
    try {
      return await send(id, asked)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const isStale = error.code.startsWith('csrf_token_')
      if (!isStale && !(NO_SESSION.includes(error.code) && (await onSessionOver?.()))) throw error
      token = undefined
      return send(id, asked)
    }
  }) as unknown as ApiClient
}

/** Every other response is JSON; if it is not, a proxy in between has answered, and the call counts as offline. */
const NO_CONTENT = 204

/** The session has ended, or the browser has lost its cookie. */
const NO_SESSION = ['session_expired', 'authentication_required']

/** Operations for users without a session. */
const NEEDS_NO_TOKEN: readonly OperationId[] = [
  ...(['logIn', 'setUp', 'registerUser', 'verifyEmail', 'forgotPassword', 'resetPassword'] as const),
]

/** Undefined without a session; the server then rejects the change with its own error. */
async function readToken(base: string, isOwn: ClientOptions['isOwnSession']): Promise<string | undefined> {
  const answer = await request(`${base}${PLACES.getSession.path}`, 'GET', {}, true, undefined)
  const body = (await bodyOf(answer)) as Operations['getSession']['answer'] | undefined
  if (!answer.ok || !body) return undefined
  if (isOwn && !isOwn(body.data)) throw new ApiError('another_person')
  return body.data.csrf_token
}

async function request(
  url: string,
  method: string,
  { body, file, onUpload, ifMatch, idempotencyKey, signal }: RequestParts,
  isSigned: boolean,
  token: string | undefined,
): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' })
  if (file) headers.set('content-type', file.type)
  else if (body !== undefined)
    headers.set('content-type', method === 'PATCH' ? 'application/merge-patch+json' : 'application/json')
  if (ifMatch) headers.set('if-match', ifMatch)
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey)
  if (token) headers.set('x-csrf-token', token)
  try {
    if (file && onUpload) {
      const { uploadWithProgress } = await import('./upload.ts')
      return await uploadWithProgress(url, method, headers, file, onUpload)
    }
    return await fetch(url, {
      method,
      headers,
      credentials: isSigned ? 'same-origin' : 'omit',
      body: file ?? (body === undefined ? null : JSON.stringify(body)),
      signal: signal ?? null,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError('offline')
  }
}

function addressOf(template: string, { path = {}, query = {} }: RequestParts): string {
  const place = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ''))
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const pairs = given.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))
  const text = new URLSearchParams(pairs).toString()
  return text ? `${place}?${text}` : place
}

async function bodyOf(answer: Response): Promise<unknown> {
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return undefined
  return answer.json().catch(() => undefined)
}

function errorOf(answer: Response, body: unknown): ApiError {
  const { error } = (body ?? {}) as Partial<ErrorBody>
  const wait = Number(answer.headers.get('retry-after'))
  return new ApiError(error?.code ?? 'offline', answer.status, error?.details, wait > 0 ? wait : undefined)
}
