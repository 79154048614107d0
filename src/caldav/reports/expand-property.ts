// expand-property report: properties of the resources that href properties name. RFC 3253 §3.8.
import type { FastifyReply } from 'fastify'
import { withPermit } from '../../actions/costly-work/semaphore.ts'
import { fail } from '../../errors.ts'
import { createSliceTimer, type SliceTimer } from '../../scheduling/event-loop.ts'
import { sendMultistatus } from '../multistatus.ts'
import { propstat, response } from '../properties/prop-response.ts'
import { langOf, type PropertyName, readOwn } from '../properties/property.ts'
import { findDavProperty } from '../properties/table.ts'
import type { DavRequest } from '../request.ts'
import { type DavContext, isForeignPrincipal, type Resource, requireResource } from '../resources.ts'
import { DAV } from '../xml/names.ts'
import { listChildren, type XmlElement } from '../xml/parse.ts'
import { element, type Xml } from '../xml/write.ts'

/** Each is loaded separately. */
const MOST_RESOURCES = 50
/** On all levels together, as many as a PROPFIND may have. */
const MAX_NAMES = 200

export async function expandProperty({ context, target, reply }: DavRequest, root: XmlElement): Promise<FastifyReply> {
  if (countNames(root) > MAX_NAMES) fail('invalid_xml')
  const resource = await requireResource(context, target)
  const { pause } = createSliceTimer()
  const budget = { resources: MOST_RESOURCES, characters: MOST_CHARACTERS, pause }
  const described = await withPermit(context.ctx, context.caller, () => describe(context, resource, root, budget))
  return sendMultistatus(reply, [described])
}

const countNames = (parent: XmlElement): number =>
  listChildren(parent, DAV, 'property').reduce((sum, asked) => sum + 1 + countNames(asked), 0)

/** Of all values in one response: a dead property may name the same resource many times, and each has 48 of them. */
const MOST_CHARACTERS = 262_144

interface ExpandBudget {
  resources: number
  characters: number
  pause: SliceTimer['pause']
}

async function describe(
  context: DavContext,
  resource: Resource,
  parent: XmlElement,
  budget: ExpandBudget,
): Promise<Xml> {
  if (budget.resources-- <= 0) fail('too_many_matches')
  const present: Xml[] = []
  const missing: Xml[] = []
  for (const [{ ns, name }, asked] of namesIn(parent)) {
    const property = findDavProperty({ ns, name })
    const value = property ? property.read(resource, context) : readOwn(resource, ns, name)
    budget.characters -= ns.length + name.length + (value?.length ?? 0)
    if (budget.characters < 0) fail('too_many_matches')
    if (value === undefined) missing.push(element(ns, name))
    else present.push(element(ns, name, langOf(resource, ns, name), ...(await expand(context, value, asked, budget))))
    await budget.pause()
  }
  return response(
    resource.href,
    ...(present.length > 0 ? [propstat(200, present)] : []),
    ...(missing.length > 0 ? [propstat(404, missing)] : []),
  )
}

/** Each name once, with the first element that has it. */
function namesIn(parent: XmlElement): MapIterator<[PropertyName, XmlElement]> {
  const names = new Map<string, [PropertyName, XmlElement]>()
  for (const asked of listChildren(parent, DAV, 'property')) {
    const name = nameOf(asked)
    const key = `{${name.ns}}${name.name}`
    if (!names.has(key)) names.set(key, [name, asked])
  }
  return names.values()
}

function nameOf({ attributes }: XmlElement): PropertyName {
  const [name = '', ns = DAV] = [attributes.get('name'), attributes.get('namespace')]
  const isPlain = /^[A-Za-z_][\w.-]{0,100}$/.test(name) && ns.length <= 300 && !ns.startsWith('http://www.w3.org/')
  return isPlain ? { ns, name } : fail('invalid_xml')
}

/** Replaces hrefs with the resources they name; an href stays if nothing is requested of it or nothing is found. */
async function expand(context: DavContext, value: Xml, asked: XmlElement, budget: ExpandBudget): Promise<Xml[]> {
  if (listChildren(asked, DAV, 'property').length === 0) return [value]
  const described: Xml[] = []
  for (const [, path] of value.matchAll(/<D:href>([^<]*)<\/D:href>/g)) {
    const target = context.paths.find(path!)
    if (target && target.kind !== 'object' && !isForeignPrincipal(target, context.viewer))
      described.push(await describe(context, await requireResource(context, target), asked, budget))
  }
  return described.length > 0 ? described : [value]
}
