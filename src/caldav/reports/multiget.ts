// calendar-multiget report: objects by href, each answered, in request order. RFC 4791 §7.9.
import type { FastifyReply } from 'fastify'
import { fail } from '../../errors.ts'
import { createSliceTimer } from '../../scheduling/event-loop.ts'
import { response, statusElement } from '../properties/prop-response.ts'
import { type DavRequest, readPreferences, setPreferenceApplied } from '../request.ts'
import { DAV } from '../xml/names.ts'
import { listChildren, textOf, type XmlElement } from '../xml/parse.ts'
import { join, type Xml } from '../xml/write.ts'
import { zoneFor } from '../zones.ts'
import { createObjectResponses } from './data.ts'
import { sendReport } from './send-report.ts'

/** As many as fit into a body with names of usual length; each is looked up, and may be a megabyte in the response. */
const MOST_HREFS = 5_000

/** Reading the clock after each takes as long as finding its name. */
const HREFS_AT_ONCE = 16

export async function calendarMultiget(davRequest: DavRequest, root: XmlElement): Promise<FastifyReply> {
  const { context, target, request, reply, cacheKey } = davRequest
  const { paths } = context
  const { isMinimal } = readPreferences(request)
  const answers = await createObjectResponses(context, root, await zoneFor(context, root), isMinimal)
  const hrefs = new Set(listChildren(root, DAV, 'href').map((element) => textOf(element).trim()))
  if (hrefs.size === 0) fail('invalid_xml')
  if (hrefs.size > MOST_HREFS) fail('too_many_matches')
  const wanted: { href: string; name: string | undefined }[] = []
  const timer = createSliceTimer()
  for (const href of hrefs) {
    wanted.push({ href, name: nameIn(href) })
    if (wanted.length % HREFS_AT_ONCE === 0) await timer.pause()
  }
  setPreferenceApplied(reply, { 'return=minimal': isMinimal })
  const names = new Set(wanted.flatMap(({ name }) => name ?? []))
  // A longer body, which has no key, has waited for a permit: the reader may have lost access meanwhile.
  const isAtOnce = cacheKey !== undefined && wanted.every(({ name }) => name !== undefined)
  const known = isAtOnce ? answers.findAll(names) : undefined
  return sendReport(davRequest, known ?? responses(), { objects: answers.given }, answers.isSameForAll)

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
    const answered = new Set<string | undefined>()
    let at = 0
    for await (const page of answers.walk({ names: [...names] })) {
      const parts: Xml[] = []
      for (const { name, answer } of page.splice(0)) {
        for (; wanted[at]!.name !== name; at++)
          if (!answered.has(wanted[at]!.name)) parts.push(missing(wanted[at]!.href))
        parts.push(answer)
        answered.add(name)
        at++
      }
      yield join(...parts.splice(0))
    }
    for (const { href, name } of wanted.slice(at)) if (!answered.has(name)) yield missing(href)
  }
}

const missing = (href: string): Xml => response(href, statusElement(404))
