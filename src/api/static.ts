// Static responses: ETag and 304, and a CSP by hash for pages with an inline style sheet.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { etagOfBytes } from '../http/responses/conditional.ts'
import { type Representation, sendConditional } from '../http/responses/conditional-response.ts'
import { markSharedBytes } from '../http/responses/response-writer.ts'

export interface StaticFile {
  /** One buffer shared by all responses. */
  body: Buffer
  response: Representation
}

export function createStatic(text: string, type: string, headers: Record<string, string> = {}): StaticFile {
  const body = markSharedBytes(Buffer.from(text))
  return {
    body,
    response: {
      etag: etagOfBytes(body),
      length: body.length,
      headers: { 'cache-control': 'public, no-cache', ...headers },
      contentHeaders: { 'content-type': type },
    },
  }
}

/** Cached until the settings change. */
export function memoizeByConfig<Made>(ctx: Context, make: (config: Config) => Made): () => Made {
  let known: { config: Config; made: Made } | undefined
  return () => {
    if (known?.config !== ctx.config) known = { config: ctx.config, made: make(ctx.config) }
    return known.made
  }
}

export const sendStatic = (
  request: FastifyRequest,
  reply: FastifyReply,
  { body, response }: StaticFile,
): Promise<FastifyReply> => sendConditional(request, reply, response, () => body)

/** CSP of a page with this style sheet inside it and no script. */
export const pagePolicy = (style: string): string => policyWith(style, ["form-action 'none'"])

/** CSP of the API manual: scripts of this site, which may send requests to this site, and a search form. */
export const manualPolicy = (style: string): string =>
  policyWith(style, ["script-src 'self'", "connect-src 'self'", "form-action 'self'"])

const policyWith = (style: string, directives: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src '${sourceHash(style)}'`,
    "img-src 'self'",
    "base-uri 'none'",
    ...directives,
    "frame-ancestors 'none'",
  ].join('; ')

const sourceHash = (source: string): string => `sha256-${createHash('sha256').update(source).digest('base64')}`
