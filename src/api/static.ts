// Static responses: ETag and 304, and a CSP by hash for pages with inline script and style.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { etagOfBytes, isNotModified } from '../http/responses/conditional.ts'
import { shareBytes } from '../http/responses/response-writer.ts'

export interface StaticFile {
  /** One buffer shared by all responses. */
  body: Buffer
  headers: Record<string, string>
}

/** `script` and `style` are the exact texts inside the page. */
export interface PageSource {
  html: string
  script: string
  style: string
}

export const createPage = (page: PageSource): StaticFile =>
  createStatic(page.html, 'text/html; charset=utf-8', { 'content-security-policy': policyOf(page) })

export function createStatic(text: string, type: string, headers: Record<string, string> = {}): StaticFile {
  const body = shareBytes(Buffer.from(text))
  return {
    body,
    headers: { 'content-type': type, etag: etagOfBytes(body), 'cache-control': 'public, no-cache', ...headers },
  }
}

/** Cached until the settings change. */
export function madeFor<Made>(ctx: Context, make: (config: Config) => Made): () => Made {
  let known: { config: Config; made: Made } | undefined
  return () => {
    if (known?.config !== ctx.config) known = { config: ctx.config, made: make(ctx.config) }
    return known.made
  }
}

export function sendStatic(request: FastifyRequest, reply: FastifyReply, { body, headers }: StaticFile): FastifyReply {
  reply.headers(headers)
  if (isNotModified(request.headers['if-none-match'], headers.etag!)) return reply.code(304).send()
  return reply.send(body)
}

const policyOf = ({ script, style }: PageSource): string =>
  [
    "default-src 'none'",
    `script-src '${sourceHash(script)}'`,
    `style-src '${sourceHash(style)}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const sourceHash = (source: string): string => `sha256-${createHash('sha256').update(source).digest('base64')}`
