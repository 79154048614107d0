// Fastify content-type parsers: JSON, calendar text and CalDAV bodies, long ones in turn.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '../errors.ts'
import { runForClient } from '../scheduling/current-client.ts'
import { yieldToEventLoop } from '../scheduling/event-loop.ts'
import {
  ACCOUNT_LIMIT_BYTES,
  ACCOUNT_MAX_STRINGS,
  JSON_LIMIT_BYTES,
  LONG_BODY_BYTES,
  parseJsonBody,
  requireUtf8Text,
} from './body.ts'
import { isRefused } from './connections/broken-request.ts'
import type { ClientContext } from './guard/client-context.ts'

export function addBodyParsers(app: FastifyInstance, clients: ClientContext): void {
  app.removeAllContentTypeParsers()
  addJsonParser(app, clients)
  addCalendarParser(app, clients)
  addDavParser(app, clients)
}

function addJsonParser(app: FastifyInstance, clients: ClientContext): void {
  addParser(app, clients, ['application/json', 'application/merge-patch+json'], (request, body) =>
    // Clients may send an empty object to a route that takes no body; it is not parsed.
    wantsBody(request) ? parseJsonBody(body, maxStringsOf(request)) : undefined,
  )
}

const maxStringsOf = ({ routeOptions: { bodyLimit = JSON_LIMIT_BYTES } }: FastifyRequest): number | undefined =>
  bodyLimit <= ACCOUNT_LIMIT_BYTES ? ACCOUNT_MAX_STRINGS : undefined

/** Only for routes that declare it. */
function addCalendarParser(app: FastifyInstance, clients: ClientContext): void {
  addParser(app, clients, 'text/calendar', ({ routeOptions: { config } }, body) => {
    if (config.takes !== 'text/calendar') fail('unsupported_media_type')
    return requireUtf8Text(body, config.isDav)
  })
}

/** Any other type, or none: calendar clients do not always state the type. */
function addDavParser(app: FastifyInstance, clients: ClientContext): void {
  addParser(app, clients, '*', ({ is404, routeOptions: { config } }, body) => {
    if (is404) return undefined
    return config.isDav ? requireUtf8Text(body, config.takes === 'text/calendar') : fail('unsupported_media_type')
  })
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
