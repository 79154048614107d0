// sync-collection report: changes and tombstones since a token, and the next token. RFC 6578 §3.
import type { FastifyReply } from 'fastify'
import { walkChanges } from '../../actions/caldav-objects/changes.ts'
import type { ObjectHead } from '../../actions/caldav-objects/objects.ts'
import type { ServedContents } from '../../actions/caldav-objects/served-versions.ts'
import { walkSizes } from '../../actions/caldav-objects/walk-objects.ts'
import { fail } from '../../errors.ts'
import { errorElement } from '../errors.ts'
import { asksEtag, isSameForAll, needsSize, parsePropRequest } from '../properties/prop-request.ts'
import { createResponder, response, statusElement } from '../properties/prop-response.ts'
import { type DavRequest, readDepth, readPreferences, setPreferenceApplied } from '../request.ts'
import { type DavContext, objectResource } from '../resources.ts'
import { DAV } from '../xml/names.ts'
import { findChild, textOf, type XmlElement } from '../xml/parse.ts'
import { join, textElement, type Xml } from '../xml/write.ts'
import { openFragments } from './data.ts'
import { sendReport } from './send-report.ts'

/** Changes per response; an initial synchronisation has no limit. */
const MOST_AT_ONCE = 10_000

export async function syncCollection(davRequest: DavRequest, root: XmlElement): Promise<FastifyReply> {
  const { context, request, reply } = davRequest
  // The RFC requires 0; clients written to its drafts send 1. There is only one level, so all mean the same.
  if (readDepth(request) === 'infinity') fail('invalid_header')
  const { token, limit } = parseSync(root)
  const { isMinimal } = readPreferences(request)
  const asked = parsePropRequest(root) ?? fail('invalid_xml')
  const respond = createResponder(context, asked, isMinimal)
  setPreferenceApplied(reply, { 'return=minimal': isMinimal })
  const isWhole = token === '' && limit === undefined
  const most = isWhole ? Number.POSITIVE_INFINITY : Math.min(limit ?? MOST_AT_ONCE, MOST_AT_ONCE)
  const isShared = isSameForAll(asked)
  const fragments = isShared ? openFragments(context, asked, isMinimal, false) : undefined
  const served: ServedContents = { objects: [] }
  return sendReport(davRequest, changes(), served, isShared)

  function answerOf(head: ObjectHead): Xml {
    const known = fragments?.find(head)
    if (known !== undefined) return known
    const answer = respond(objectResource(context, head))
    fragments?.keep(head, answer)
    return answer
  }

  async function* changes(): AsyncGenerator<Xml> {
    const { ctx, viewer, paths } = context
    let isContinued = false
    for await (const { changed, gone, end } of walkChanges(ctx, viewer, token, most)) {
      for await (const heads of needsSize(asked) ? withSizes(context, changed, isContinued) : [changed])
        yield join(...heads.map(answerOf))
      isContinued = true
      yield join(...gone.map((name) => response(paths.object(name), statusElement(404))))
      if (!end) continue
      // Names alone do not tell the client which versions there are.
      if (end.isComplete && asksEtag(asked)) served.listed = end.revision
      if (!end.isComplete) yield response(paths.calendar, statusElement(507), errorElement('too_many_matches'))
      yield tokenElement(end.token)
    }
  }
}

/** An object deleted meanwhile is returned without its size; its deletion follows in the next synchronisation. */
async function* withSizes(
  { ctx, viewer, caller }: DavContext,
  heads: readonly ObjectHead[],
  isContinued: boolean,
): AsyncGenerator<ObjectHead[]> {
  const left = new Map(heads.map((head) => [head.name, head]))
  for await (const page of walkSizes(ctx, viewer, { names: [...left.keys()], caller, isContinued })) {
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
