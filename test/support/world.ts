// A running service for tests: accounts with roles, a clock that can be set, responses checked against the contract.
import { once } from 'node:events'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import inject, { type InjectOptions, type Response } from 'light-my-request'
import { type App, type AppOptions, buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import type { ApprovalState, Role } from '../../src/domain/account/account.ts'
import { newId, PASSWORD_COST, type PasswordCost, setPasswordCost } from '../../src/secrets.ts'
import { insertAccount } from '../../src/storage/accounts/accounts.ts'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import { type AnswerCheck, makeAnswerCheck } from './http/answers.ts'
import type { ApiResponse, Json } from './http/api-response.ts'
import { type EmptyDatabase, type Engine, makeReadyPlace } from './storage/engines.ts'

export interface Client {
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  head(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  delete(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  send(options: InjectOptions): Promise<ApiResponse>
  /** Creates an event and returns it; fails where that fails. */
  creates(event: object): Promise<Json>
}

export interface World {
  engine: Engine
  app: App
  place: EmptyDatabase
  /** The current time of the service. */
  clock: { at: number }
  anonymous: Client
  reader: Client
  writer: Client
  admin: Client
  as(email: string, password?: string): Client
  /** With these headers on every request. */
  with(headers: Record<string, string>): Client
  /** A signed-in browser: its cookie, and the CSRF token for writes. */
  signIn(email: string, password?: string, remember?: boolean): Promise<Browser>
  addPerson(email: string, role: Role, state?: ApprovalState, isVerified?: boolean): Promise<string>
}

export interface Browser extends Client {
  cookie: string
  csrf: string
}

export interface WorldOptions {
  settings?: Record<string, string>
  now?: string
  /** An existing database. */
  place?: EmptyDatabase
  patience?: AppOptions['patience']
  streams?: AppOptions['streams']
  /** For tests of what happens when these pass; others wait as long as a busy machine takes. */
  storageLimits?: AppOptions['storageLimits']
  /** For tests of the cost of a hash, and of what happens while one is computed. */
  realPasswordCost?: boolean
}

export const PASSWORD = 'correct horse battery'

/** The same password under the cheapest argon2id: most tests are not about the cost of hashing. */
const CHEAP_HASH = '$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$'

const LONG_WAITS: WorldOptions['storageLimits'] = { connectMs: 60_000, writeWaitMs: 60_000, statementMs: 120_000 }

export async function withWorld(
  engine: Engine,
  story: (world: World) => Promise<void>,
  options: WorldOptions = {},
): Promise<void> {
  const place = options.place ?? (await makeReadyPlace(engine))
  const world = await openWorld(engine, place, options)
  try {
    await story(world)
  } finally {
    await world.app.close()
    if (!options.place) await place.remove()
  }
}

/** Two services on one database. On SQLite the second is another process's connection to the same file. */
export async function withTwoNodes(
  engine: Engine,
  story: (one: World, two: World) => Promise<void>,
  options: WorldOptions = {},
): Promise<void> {
  const place = await makeReadyPlace(engine)
  const one = await openWorld(engine, place, options)
  const two = await openWorld(engine, place, { ...options, place })
  try {
    await story(one, two)
  } finally {
    await two.app.close()
    await one.app.close()
    await place.remove()
  }
}

export async function openWorld(engine: Engine, place: EmptyDatabase, options: WorldOptions = {}): Promise<World> {
  const settings = {
    DAYBOOK_LOG_LEVEL: 'silent',
    DAYBOOK_RATE_LIMITS: 'off',
    DAYBOOK_REQUIRE_VERIFIED_EMAIL: 'on',
    // Requests come from this machine without TLS, also where public_url is https.
    DAYBOOK_ALLOW_LOOPBACK_HTTP: 'on',
    ...place.settings,
    ...options.settings,
  }
  setPasswordCost(options.realPasswordCost ? PASSWORD_COST : CHEAPEST)
  const clock = { at: Date.parse(options.now ?? '2026-07-10T12:00:00Z') }
  const app = await buildApp(loadConfig(settings, place.folder), {
    clock: () => clock.at,
    patience: options.patience,
    storageLimits: options.storageLimits ?? LONG_WAITS,
    streams: options.streams,
  })
  const check = makeAnswerCheck(app)
  const withHeaders = (headers: Record<string, string>): Client => makeClient(app, check, headers)
  const client = (email?: string, password = PASSWORD): Client =>
    withHeaders(email ? { authorization: basicOf(email, password) } : {})
  const signIn: World['signIn'] = async (email, password = PASSWORD, remember = false) => {
    const answer = await client().post('/auth/login', { email, password, remember })
    if (answer.status !== 200) throw new Error(`signing in failed with ${answer.status}: ${answer.text}`)
    const cookie = String(answer.headers['set-cookie']).split(';')[0]!
    const csrf = answer.body.data.csrf_token
    return { ...withHeaders({ cookie, 'x-csrf-token': csrf }), cookie, csrf }
  }
  const addPerson: World['addPerson'] = async (email, role, state = 'approved', isVerified = true) => {
    const row = await makeAccount(app, email, role, state, isVerified)
    await inTransaction(app.ctx.storage, (db) => insertAccount(db, row))
    return row.id
  }
  if (!options.place) await addFirstPeople(app)
  return {
    engine,
    app,
    place,
    clock,
    anonymous: client(),
    reader: client('reader@example.org'),
    writer: client('writer@example.org'),
    admin: client('admin@example.org'),
    as: client,
    with: withHeaders,
    signIn,
    addPerson,
  }
}

/** In one transaction: most tests need them. */
async function addFirstPeople(app: App): Promise<void> {
  const roles = ['reader', 'writer', 'admin'] as const
  const rows = await Promise.all(roles.map((role) => makeAccount(app, `${role}@example.org`, role, 'approved', true)))
  await inTransaction(app.ctx.storage, async (db) => {
    for (const row of rows) await insertAccount(db, row)
  })
}

async function makeAccount(app: App, email: string, role: Role, state: ApprovalState, isVerified: boolean) {
  const now = app.ctx.clock()
  return {
    id: newId(),
    email,
    email_key: email.toLowerCase(),
    display_name: email.split('@')[0]!,
    name_key: email.split('@')[0]!,
    password_hash: await cheapHash(),
    was_asked_again: 0 as const,
    request_count: 0,
    last_requested_at: null,
    role,
    approval_state: state,
    email_verified_at: isVerified ? now : null,
    request_message: null,
    created_at: now,
    decided_at: null,
    decided_by: null,
    last_login_at: null,
    language: null,
    version: 1,
  }
}

const CHEAPEST: PasswordCost = { memoryKib: 8, passes: 1, parallelism: 1 }

let hash: Promise<string> | undefined
const cheapHash = (): Promise<string> => {
  hash ??= import('node:crypto').then(({ argon2Sync }) => {
    const tag = argon2Sync('argon2id', {
      message: Buffer.from(PASSWORD),
      nonce: Buffer.alloc(16),
      memory: CHEAPEST.memoryKib,
      passes: CHEAPEST.passes,
      parallelism: CHEAPEST.parallelism,
      tagLength: 32,
    })
    return CHEAP_HASH + tag.toString('base64').replace(/=+$/, '')
  })
  return hash
}

export const basicOf = (email: string, password = PASSWORD): string =>
  `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`

/** As over a socket, on the fast path or through Fastify. */
export async function ask(app: App, options: InjectOptions): Promise<Response> {
  await app.server.ready()
  const listener = app.listener as Parameters<typeof inject>[0]
  const isStream = /\/stream(?:$|\?)/.test(String(options.url)) && (options.method ?? 'GET') === 'GET'
  return isStream ? askStream(listener, options) : inject(listener, options)
}

/** A stream of events does not end: what comes first counts as its response. */
async function askStream(listener: Parameters<typeof inject>[0], options: InjectOptions): Promise<Response> {
  const response = await inject(listener, { ...options, payloadAsStream: true })
  const stream = response.stream()
  const [first] = (await once(stream, 'data')) as [Buffer]
  stream.destroy()
  response.raw.res.destroy()
  return Object.assign(response, { rawPayload: first, payload: `${first}`, body: `${first}` })
}

function makeClient(app: App, check: AnswerCheck, credentials: Record<string, string>): Client {
  const send = async (options: InjectOptions): Promise<ApiResponse> => {
    const response = await ask(app, { ...options, headers: { ...credentials, ...options.headers } })
    const text = textOf(response)
    const answer = {
      status: response.statusCode,
      headers: response.headers,
      text,
      body: parse(response, text),
      bytes: response.rawPayload,
    }
    check(String(options.method ?? 'GET'), String(options.url), answer)
    return answer
  }
  const plain =
    (method: 'GET' | 'HEAD' | 'DELETE') =>
    (path: string, headers: Record<string, string> = {}) =>
      send({ method, url: app.site.base + path, headers })
  const withBody =
    (method: 'POST' | 'PUT' | 'PATCH') =>
    (path: string, body: unknown, headers: Record<string, string> = {}) =>
      send({
        method,
        url: app.site.base + path,
        headers: { 'content-type': 'application/json', ...headers },
        payload: typeof body === 'string' ? body : JSON.stringify(body),
      })
  const post = withBody('POST')
  return {
    send,
    get: plain('GET'),
    head: plain('HEAD'),
    delete: plain('DELETE'),
    post,
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    async creates(event) {
      const answer = await post('/events', event)
      if (answer.status !== 201) throw new Error(`creating failed with ${answer.status}: ${answer.text}`)
      return answer.body.data
    },
  }
}

function textOf({ headers, rawPayload, body }: Response): string {
  if (rawPayload.length === 0) return body
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(rawPayload).toString()
  return headers['content-encoding'] === 'gzip' ? gunzipSync(rawPayload).toString() : body
}

const parse = (response: Response, text: string): Json => {
  const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json')
  return isJson && text ? JSON.parse(text) : undefined
}
