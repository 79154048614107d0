// sync-collection: what has changed since a token, and the token for the next time. RFC 6578 §3.
import type { FastifyReply } from 'fastify'
import { makeBreather } from '../../actions/breathe.ts'
import { listChanges, readCollection } from '../../actions/changes.ts'
import { type ObjectHead, walkHeads, walkSizes } from '../../actions/objects.ts'
import { fail } from '../../errors.ts'
import { errorElement } from '../errors.ts'
import { sendMultistatus } from '../multistatus.ts'
import { makeResponder, type Responder, response, statusElement } from '../properties/answer.ts'
import { type Asked, findAsked, isSizeAsked } from '../properties/asked.ts'
import { type Asking, readDepth, readPreferences, tellFollowed } from '../request.ts'
import { objectResource, type Scene } from '../resources.ts'
import { DAV } from '../xml/names.ts'
import { findChild, textOf, type XmlElement } from '../xml/parse.ts'
import { textElement, type Xml } from '../xml/write.ts'

/** Of changes; a first synchronisation is sent as it is read, however long. */
const MOST_AT_ONCE = 10_000

export async function syncCollection({ scene, request, reply }: Asking, root: XmlElement): Promise<FastifyReply> {
  // The RFC wants 0; programs written to its drafts send 1. There is but one level, so all mean the same.
  if (readDepth(request) === 'infinity') fail('invalid_header')
  const { token, limit } = parseSync(root)
  const { isMinimal } = readPreferences(request)
  const asked = findAsked(root) ?? fail('invalid_xml')
  const respond = makeResponder(scene, asked, isMinimal)
  tellFollowed(reply, { 'return=minimal': isMinimal })
  const { ctx, person, paths, caller } = scene
  if (token === '' && limit === undefined) return sendMultistatus(reply, everything(scene, asked, respond))
  const most = Math.min(limit ?? MOST_AT_ONCE, MOST_AT_ONCE)
  const { changed, gone, token: next, isComplete } = await listChanges(ctx, person, token, most, caller)
  return sendMultistatus(reply, changes())

  async function* changes(): AsyncGenerator<Xml> {
    for await (const page of isSizeAsked(asked) ? withSizes(scene, changed) : [changed])
      for (const head of page) yield respond(objectResource(scene, head))
    for (const name of gone) yield response(paths.object(name), statusElement(404))
    if (!isComplete) yield response(paths.calendar, statusElement(507), errorElement('too_many_matches'))
    yield tokenElement(next)
  }
}

/** The token is read first: whatever changes while the rest is read is told again the next time, and nothing is lost. */
async function* everything(scene: Scene, asked: Asked, respond: Responder): AsyncGenerator<Xml> {
  const { ctx, person, caller } = scene
  const { syncToken } = await readCollection(ctx, person)
  const breathe = makeBreather()
  for await (const page of isSizeAsked(asked) ? walkSizes(ctx, person, { caller }) : walkHeads(ctx, person)) {
    for (const head of page) {
      yield respond(objectResource(scene, head))
      await breathe()
    }
  }
  yield tokenElement(syncToken)
}

/** One that has gone since is told without: that it has gone is told the next time. */
async function* withSizes({ ctx, person, caller }: Scene, heads: readonly ObjectHead[]): AsyncGenerator<ObjectHead[]> {
  const left = new Map(heads.map((head) => [head.name, head]))
  for await (const page of walkSizes(ctx, person, { names: [...left.keys()], caller })) {
    yield page
    for (const { name } of page) left.delete(name)
  }
  yield [...left.values()]
}

const tokenElement = (token: string): Xml => textElement(DAV, 'sync-token', token)

function parseSync(root: XmlElement): { token: string; limit: number | undefined } {
  const token = textOf(findChild(root, DAV, 'sync-token') ?? fail('invalid_xml')).trim()
  const level = findChild(root, DAV, 'sync-level')
  if (level && !['1', 'infinite'].includes(textOf(level).trim())) fail('invalid_xml')
  const limit = findChild(root, DAV, 'limit')
  const count = limit && findChild(limit, DAV, 'nresults')
  if (!count) return { token, limit: undefined }
  const most = Number(/^\s*(\d{1,9})\s*$/.exec(textOf(count))?.[1])
  return most > 0 ? { token, limit: most } : fail('invalid_xml')
}
