// Fastify content-type parsers: JSON, calendar text and CalDAV bodies, long ones in turn.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { decodeFoldedUtf8 } from '../domain/utf8.ts'
import { fail } from '../errors.ts'
import { runForClient } from '../scheduling/current-client.ts'
import { yieldToEventLoop } from '../scheduling/event-loop.ts'
import {
  ACCOUNT_LIMIT_BYTES,
  ACCOUNT_MAX_STRINGS,
  type BodyBounds,
  BULK_MAX_CONTAINERS,
  JSON_LIMIT_BYTES,
  LONG_BODY_BYTES,
  parseJsonBody,
  requireUtf8Text,
} from './body.ts'
import { isRefused } from './connections/broken-request.ts'
import type { ClientContext } from './guard/client-context.ts'
import { JSON_TYPES } from './responses/accepted-types.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The calendar text differs from what was sent: line folds inside characters were removed. */
    isBodyUnfolded: boolean
  }
}

export function addBodyParsers(app: FastifyInstance, clients: ClientContext): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('isBodyUnfolded', false)
  addEmptyBodies(app)
  addJsonParser(app, clients)
  addCalendarParser(app, clients)
  addDavParser(app, clients)
}

/**
 * The stream of a request without a body has ended before anything can listen to it (`optimizeEmptyRequests`). Fastify
 * waits for its end where the request has a Content-Type, so it gets another one.
 */
function addEmptyBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const hasEnded = request.raw.readableEnded && request.headers['content-type'] !== undefined
    done(null, hasEnded ? Readable.from([]) : payload)
  })
}

function addJsonParser(app: FastifyInstance, clients: ClientContext): void {
  addParser(app, clients, [...JSON_TYPES], (request, body) =>
    // Clients may send an empty object to a route that takes no body; it is not parsed.
    wantsBody(request) ? parseJsonBody(body, boundsOf(request)) : undefined,
  )
}

function boundsOf({ routeOptions: { bodyLimit = JSON_LIMIT_BYTES } }: FastifyRequest): BodyBounds {
  if (bodyLimit <= ACCOUNT_LIMIT_BYTES) return { maxStrings: ACCOUNT_MAX_STRINGS }
  return bodyLimit > JSON_LIMIT_BYTES ? { maxContainers: BULK_MAX_CONTAINERS } : {}
}

/** Only for routes that declare it. */
function addCalendarParser(app: FastifyInstance, clients: ClientContext): void {
  addParser(app, clients, 'text/calendar', (request, body) => {
    const { config } = request.routeOptions
    if (config.takes !== 'text/calendar') fail('unsupported_media_type')
    return readCalendarText(request, body)
  })
}

/** Any other type, or none: calendar clients do not always state the type. */
function addDavParser(app: FastifyInstance, clients: ClientContext): void {
  addParser(app, clients, '*', (request, body) => {
    const { config } = request.routeOptions
    if (request.is404) return undefined
    if (!config.isDav) fail('unsupported_media_type')
    return config.takes === 'text/calendar' ? readCalendarText(request, body) : requireUtf8Text(body)
  })
}

function readCalendarText(request: FastifyRequest, body: Buffer): string {
  const read = decodeFoldedUtf8(body, request.routeOptions.config.isDav) ?? fail('invalid_encoding')
  request.isBodyUnfolded = read.isUnfolded
  return read.text
}

const wantsBody = ({ routeOptions: { config, schema } }: FastifyRequest): boolean =>
  config?.takes !== undefined || schema?.body !== undefined

type ReadBody = (request: FastifyRequest, body: Buffer) => unknown

/**
 * Clients send a Content-Type even without a body; a route without a body accepts any type. Long bodies are parsed one
 * at a time: hundreds may end at the same moment.
 */
function addParser(app: FastifyInstance, clients: ClientContext, types: string | string[], read: ReadBody): void {
  app.addContentTypeParser(types, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const isNothing = body.length === 0 && (request.routeOptions.config?.isDav || !wantsBody(request))
    if (body.length > LONG_BODY_BYTES) await runForClient(clients.of(request.raw), yieldToEventLoop)
    if (isRefused(request.raw.socket)) fail('request_timeout')
    return isNothing ? undefined : read(request, body)
  })
}
