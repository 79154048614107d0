// Access control properties, read-only. RFC 3744 §5, RFC 4791 §6.1.
import { mayDo } from '../../domain/privacy/viewer.ts'
import type { DavContext, Resource } from '../resources.ts'
import { CALDAV, DAV } from '../xml/names.ts'
import { element, join, text, textElement, type Xml } from '../xml/write.ts'
import { href, type PropertyDefinition, type PropertyName } from './property.ts'

export const privilegeProperties: readonly PropertyDefinition[] = [
  // An account owns its principal; the calendar has no owner. There are no groups.
  { ns: DAV, name: 'owner', read: (resource) => (resource.kind === 'principal' ? href(resource.href) : text('')) },
  { ns: DAV, name: 'group', read: () => text('') },
  { ns: DAV, name: 'current-user-privilege-set', read: (resource, context) => setOf(privilegesOn(resource, context)) },
  { ns: DAV, name: 'supported-privilege-set', read: () => SUPPORTED },
  { ns: DAV, name: 'acl', read: accessTo },
  {
    ns: DAV,
    name: 'acl-restrictions',
    read: () => join(element(DAV, 'grant-only'), element(DAV, 'no-invert')),
  },
  { ns: DAV, name: 'inherited-acl-set', read: () => text('') },
]

const READ = ['read', 'read-acl', 'read-current-user-privilege-set'].map(dav)
const FREE_BUSY: PropertyName = { ns: CALDAV, name: 'read-free-busy' }
const WRITE_CALENDAR = ['write', 'write-content', 'write-properties', 'bind', 'unbind'].map(dav)
const WRITE_OBJECT = ['write-content'].map(dav)

const readingOf = ({ kind }: Resource): PropertyName[] => (kind === 'calendar' ? [...READ, FREE_BUSY] : READ)

/**
 * A reader gets read privileges only, although they may set their own properties: clients would take that for write
 * access.
 */
function writingOf({ kind }: Resource, { viewer }: DavContext): PropertyName[] {
  if (!mayDo(viewer, 'write')) return []
  return kind === 'calendar' ? WRITE_CALENDAR : kind === 'object' ? WRITE_OBJECT : []
}

const privilegesOn = (resource: Resource, context: DavContext): PropertyName[] => [
  ...readingOf(resource),
  ...writingOf(resource, context),
]

/**
 * All accounts may read; of those who may also write, only the current one is named. The list cannot be changed here.
 */
function accessTo(resource: Resource, context: DavContext): Xml {
  const written = writingOf(resource, context)
  const me = href(context.paths.principal(context.viewer.account.id))
  return join(
    entry(element(DAV, 'authenticated'), readingOf(resource)),
    ...(written.length > 0 ? [entry(me, written)] : []),
  )
}

const entry = (who: Xml, granted: readonly PropertyName[]): Xml =>
  element(
    DAV,
    'ace',
    {},
    element(DAV, 'principal', {}, who),
    element(DAV, 'grant', {}, setOf(granted)),
    element(DAV, 'protected'),
  )

const setOf = (names: readonly PropertyName[]): Xml => join(...names.map(privilege))

function dav(name: string): PropertyName {
  return { ns: DAV, name }
}

const privilege = ({ ns, name }: PropertyName): Xml => element(DAV, 'privilege', {}, element(ns, name))

function supported(name: PropertyName, description: string, ...parts: readonly Xml[]): Xml {
  return element(
    DAV,
    'supported-privilege',
    {},
    privilege(name),
    textElement(DAV, 'description', description),
    ...parts,
  )
}

const SUPPORTED = supported(
  dav('all'),
  'Everything',
  supported(
    dav('read'),
    'Read',
    supported(dav('read-acl'), 'Read who may do what'),
    supported(dav('read-current-user-privilege-set'), 'Read what you may do'),
    supported(FREE_BUSY, 'Read when the calendar is taken'),
  ),
  supported(
    dav('write'),
    'Write',
    supported(dav('write-content'), 'Change events'),
    supported(dav('write-properties'), 'Change how the calendar is shown'),
    supported(dav('bind'), 'Add events'),
    supported(dav('unbind'), 'Remove events'),
  ),
)
