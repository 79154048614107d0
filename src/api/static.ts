// Static responses: ETag and 304, and a CSP by hash for pages with inline script and style.
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

/** `script` and `style` are the exact texts inside the page. */
export interface PageSource {
  html: string
  script: string
  style: string
}

export const createPage = (page: PageSource): StaticFile =>
  createStatic(page.html, 'text/html; charset=utf-8', { 'content-security-policy': pagePolicy(page) })

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

/** CSP of a page with this style sheet inside it, and this script if there is one. */
export const pagePolicy = ({ script, style }: Pick<PageSource, 'style'> & Partial<PageSource>): string =>
  [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src '${sourceHash(script)}'`]),
    `style-src '${sourceHash(style)}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const sourceHash = (source: string): string => `sha256-${createHash('sha256').update(source).digest('base64')}`
