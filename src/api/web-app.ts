// The web app: its pages under their addresses, and the files they load.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isSetUp } from '../actions/accounts.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { PAGES, type SiteFacts } from '../contract/site.ts'
import { etagOfBytes, isNotModified } from '../http/conditional.ts'
import { acceptedEncodings, chooseEncoding, etagOfForm } from '../http/encoding.ts'
import type { Site } from '../http/site.ts'
import { madeFor, makeStatic, type Static, sendStatic } from './static.ts'
import { type BuiltFile, findBuilt } from './web-app/files.ts'
import { framePolicy, PAGE_POLICY, writeFrame, writePage } from './web-app/page.ts'

export function addWebApp(app: FastifyInstance, ctx: Context, site: Site, version: string): void {
  const built = findBuilt()
  if (!built) return
  const pageWith = (facts: SiteFacts): Static =>
    makeStatic(writePage(facts, built), 'text/html; charset=utf-8', { 'content-security-policy': PAGE_POLICY })
  const page = madeFor(ctx, (config) => pageWith(factsOf(config, site, version)))
  app.get(`${site.root}/setup`, { config: { isPage: true } }, async (request, reply) => {
    const facts = { ...factsOf(ctx.config, site, version), is_set_up: await isSetUp(ctx) }
    return sendStatic(request, reply, pageWith(facts))
  })
  for (const path of PAGES) {
    const url = `${site.root}${path}`.replace(/(.)\/$/, '$1')
    if (path === '/setup') continue
    app.get(url, { config: { isPage: true } }, async (request, reply) => sendStatic(request, reply, page()))
  }
  const frame = madeFor(ctx, ({ siteName, embedSites }) =>
    makeStatic(writeFrame(siteName, site.root), 'text/html; charset=utf-8', {
      'content-security-policy': framePolicy(embedSites),
      'cross-origin-resource-policy': 'cross-origin',
    }),
  )
  app.get(`${site.root}/frame`, { config: { isPage: true } }, async (request, reply) =>
    sendStatic(request, reply, frame()),
  )
  for (const [path, file] of built.files)
    app.get(`${site.root}${path}`, { config: { isPage: true } }, async (request, reply) =>
      sendFile(request, reply, file, path.startsWith('/assets/')),
    )
}

const factsOf = (config: Config, site: Site, version: string): SiteFacts => ({
  name: config.siteName,
  root: site.root,
  api: site.base,
  origin: site.origin,
  timezone: config.timezone,
  week_start: config.weekStart,
  default_visibility: config.defaultVisibility,
  version,
})

/** Names with a hash in them never change their content; other sites may load all of these, since they hold nobody's data. */
function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile, isHashed: boolean): FastifyReply {
  const encoding = chooseEncoding(acceptedEncodings(request.headers['accept-encoding']), file.bytes.length)
  const etag = etagOfForm(etagOfBytes(file.bytes), encoding)
  reply.headers({
    'content-type': file.type,
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'accept-encoding',
    etag,
  })
  if (isNotModified(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (encoding) reply.header('content-encoding', encoding)
  return reply.send((encoding && file.forms[encoding]) ?? file.bytes)
}
