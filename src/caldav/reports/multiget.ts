// calendar-multiget report: objects by href, each answered, in request order. RFC 4791 §7.9.
import type { FastifyReply } from 'fastify'
import { recordObjects } from '../../actions/caldav-objects/served-versions.ts'
import { fail } from '../../errors.ts'
import { createSliceTimer } from '../../scheduling/event-loop.ts'
import { sendMultistatus } from '../multistatus.ts'
import { response, statusElement } from '../properties/prop-response.ts'
import { type DavRequest, readPreferences, setPreferenceApplied } from '../request.ts'
import { whenReceived } from '../when-received.ts'
import { DAV } from '../xml/names.ts'
import { listChildren, textOf, type XmlElement } from '../xml/parse.ts'
import type { Xml } from '../xml/write.ts'
import { zoneFor } from '../zones.ts'
import { createObjectResponses } from './data.ts'

/** As many as fit into a body with names of usual length; each is looked up, and may be a megabyte in the response. */
const MOST_HREFS = 5_000

export async function calendarMultiget(
  { context, target, request, reply }: DavRequest,
  root: XmlElement,
): Promise<FastifyReply> {
  const { paths } = context
  const { isMinimal } = readPreferences(request)
  const answers = createObjectResponses(context, root, await zoneFor(context, root), isMinimal)
  const hrefs = new Set(listChildren(root, DAV, 'href').map((element) => textOf(element).trim()))
  if (hrefs.size === 0) fail('invalid_xml')
  if (hrefs.size > MOST_HREFS) fail('too_many_matches')
  const wanted: { href: string; name: string | undefined }[] = []
  const timer = createSliceTimer()
  for (const href of hrefs) {
    wanted.push({ href, name: nameIn(href) })
    await timer.pause()
  }
  setPreferenceApplied(reply, { 'return=minimal': isMinimal })
  whenReceived(context.ctx, reply, () => recordObjects(context.ctx, context.viewer, answers.given))
  return sendMultistatus(reply, responses())

  /** An href outside the resource of the request is answered with 404. */
  function nameIn(href: string): string | undefined {
    const found = paths.findHref(href, request.headers.host, paths.calendar)
    if (found?.kind !== 'object') return undefined
    return target.kind === 'object' && target.name !== found.name ? undefined : found.name
  }

  /**
   * Objects are found in request order: an href that is skipped is missing. Several hrefs may name one object, and no
   * resource is answered twice (RFC 4918 §14.24).
   */
  async function* responses(): AsyncGenerator<Xml> {
    const names = new Set(wanted.flatMap(({ name }) => name ?? []))
    const answered = new Set<string | undefined>()
    let at = 0
    for await (const { name, answer } of answers.walk({ names: [...names] })) {
      for (; wanted[at]!.name !== name; at++) if (!answered.has(wanted[at]!.name)) yield missing(wanted[at]!.href)
      yield answer
      answered.add(name)
      at++
    }
    for (const { href, name } of wanted.slice(at)) if (!answered.has(name)) yield missing(href)
  }
}

const missing = (href: string): Xml => response(href, statusElement(404))
