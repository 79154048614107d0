// What somebody may do where. RFC 3744 §5, as far as it can be read; nobody changes it here. RFC 4791 §6.1.
import { mayDo } from '../../domain/privacy/viewer.ts'
import type { Resource, Scene } from '../resources.ts'
import { CALDAV, DAV } from '../xml/names.ts'
import { element, join, text, textElement, type Xml } from '../xml/write.ts'
import type { Name, Property } from './property.ts'

export const privilegeProperties: readonly Property[] = [
  // The calendar is everybody's and nobody's in particular.
  { ns: DAV, name: 'owner', read: ({ kind }) => (kind === 'calendar' || kind === 'object' ? text('') : undefined) },
  { ns: DAV, name: 'current-user-privilege-set', read: (resource, scene) => join(...privilegesOn(resource, scene)) },
  { ns: DAV, name: 'supported-privilege-set', read: () => SUPPORTED },
]

const READ = ['read', 'read-current-user-privilege-set'].map(dav)
const FREE_BUSY: Name = { ns: CALDAV, name: 'read-free-busy' }
const WRITE_CALENDAR = ['write', 'write-content', 'write-properties', 'bind', 'unbind'].map(dav)
const WRITE_OBJECT = ['write-content'].map(dav)

/** A reader is told of reading only, although they may set how the calendar looks to them: programs take that for more. */
function privilegesOn({ kind }: Resource, { person }: Scene): Xml[] {
  const isWriter = mayDo(person, 'write')
  const written = kind === 'calendar' ? WRITE_CALENDAR : kind === 'object' ? WRITE_OBJECT : []
  const granted = [...READ, ...(kind === 'calendar' ? [FREE_BUSY] : []), ...(isWriter ? written : [])]
  return granted.map(privilege)
}

function dav(name: string): Name {
  return { ns: DAV, name }
}

const privilege = ({ ns, name }: Name): Xml => element(DAV, 'privilege', {}, element(ns, name))

function supported(name: Name, description: string, ...parts: readonly Xml[]): Xml {
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
