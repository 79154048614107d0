// calendar-multiget: objects by their addresses, each answered, in the order asked. RFC 4791 §7.9.
import type { FastifyReply } from 'fastify'
import { listObjects } from '../../actions/objects.ts'
import { fail } from '../../errors.ts'
import { sendMultistatus } from '../multistatus.ts'
import { response, statusElement } from '../properties/answer.ts'
import { type Asking, readPreferences, tellFollowed } from '../request.ts'
import { DAV } from '../xml/names.ts'
import { listChildren, textOf, type XmlElement } from '../xml/parse.ts'
import type { Xml } from '../xml/write.ts'
import { makeObjectResponder } from './data.ts'
import { zoneIn } from './zone.ts'

const AT_ONCE = 50

export async function calendarMultiget(
  { scene, place, request, reply }: Asking,
  root: XmlElement,
): Promise<FastifyReply> {
  const { ctx, person, paths } = scene
  const { isMinimal } = readPreferences(request)
  const respond = makeObjectResponder(scene, root, zoneIn(root, ctx.config.timezone), isMinimal)
  const hrefs = new Set(listChildren(root, DAV, 'href').map((element) => textOf(element).trim()))
  if (hrefs.size === 0) fail('invalid_xml')
  const wanted = [...hrefs].map((href) => ({ href, name: nameIn(href) }))
  tellFollowed(reply, { 'return=minimal': isMinimal })
  return sendMultistatus(reply, responses())

  /** What stands elsewhere is not here: nothing is told of it. */
  function nameIn(href: string): string | undefined {
    const found = paths.findHref(href, request.headers.host)
    if (found?.kind !== 'object') return undefined
    return place.kind === 'object' && place.name !== found.name ? undefined : found.name
  }

  async function* responses(): AsyncGenerator<Xml> {
    for (let i = 0; i < wanted.length; i += AT_ONCE) {
      const some = wanted.slice(i, i + AT_ONCE)
      const names = some.flatMap(({ name }) => name ?? [])
      const objects = new Map((await listObjects(ctx, person, names)).map((object) => [object.name, object]))
      for (const { href, name } of some) {
        const object = name === undefined ? undefined : objects.get(name)
        yield object ? respond(object) : response(href, statusElement(404))
      }
    }
  }
}
