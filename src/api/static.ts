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

interface PageSource {
  /** Style sheet inside the page. */
  style: string
  /** True for a page that loads a script of this service. */
  loadsScript?: boolean
  /** Of the only script inside such a page. */
  scriptHash?: string | undefined
  /** False if that script does not call the API. */
  connects?: boolean
  /** True for a page with a form, which this service answers. */
  hasForm?: boolean
  /** Who may show the page in a frame. */
  frameAncestors?: string
}

/** CSP of a page with an inline style sheet, and nothing else inline but one script at most. */
export const pagePolicy = ({
  style,
  loadsScript,
  scriptHash,
  connects = true,
  hasForm,
  frameAncestors = "'none'",
}: PageSource): string =>
  [
    "default-src 'none'",
    ...(loadsScript ? [`script-src 'self'${scriptHash ? ` '${scriptHash}'` : ''}`] : []),
    ...(loadsScript && connects ? ["connect-src 'self'"] : []),
    `style-src '${sourceHash(style)}'`,
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')

/** As a Content-Security-Policy names it, without the quotation marks. */
export const sourceHash = (source: string): string => `sha256-${createHash('sha256').update(source).digest('base64')}`
