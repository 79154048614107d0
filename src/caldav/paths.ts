// Addresses: what a path leads to, and the one spelling of the path to everything. Names are decoded once.
import type { Site } from '../http/site.ts'

export type ResourceKind = ResourcePath['kind']

export type ResourcePath =
  /** `at` where it was asked for under another address. */
  | { kind: 'root'; at?: string }
  | { kind: 'principals' | 'home' | 'calendar' }
  | { kind: 'principal'; userId: string }
  | { kind: 'object'; name: string }

export interface DavPaths {
  root: string
  /** Where people have only the address of the site. */
  fronts: readonly string[]
  principals: string
  /** Of everybody: there is one calendar. */
  home: string
  calendar: string
  principal(userId: string): string
  object(name: string): string
  /** Undefined for what is no address of ours, or not spelt like one. */
  find(path: string): ResourcePath | undefined
  /** As programs write it in a body or a header: a path, or a whole address on this host; relative where there is a base. */
  findHref(href: string, host: string | undefined, base?: string): ResourcePath | undefined
}

export function createPaths(site: Site): DavPaths {
  const root = `${site.davBase}/`
  const principals = `${root}principals/`
  const home = `${root}calendars/`
  const calendar = `${home}main/`
  const fronts = frontsOf(site)
  const fixed = new Map<string, ResourcePath>([
    [root, { kind: 'root' }],
    ...fronts.map((at) => [at, { kind: 'root', at }] as const),
    [principals, { kind: 'principals' }],
    [home, { kind: 'home' }],
    [calendar, { kind: 'calendar' }],
  ])
  const find = (path: string): ResourcePath | undefined => {
    const known = fixed.get(path) ?? fixed.get(`${path}/`)
    if (known) return known
    if (path.startsWith(principals)) return principalIn(path.slice(principals.length))
    return path.startsWith(calendar) ? objectIn(path.slice(calendar.length)) : undefined
  }
  const ownHost = site.origin.replace(/^https?:\/\//, '')
  return {
    root,
    fronts,
    principals,
    home,
    calendar,
    principal: (userId) => `${principals}${userId}/`,
    object: (name) => calendar + encodeName(name),
    find,
    findHref(href, host, base) {
      const [, scheme, authority = '', path] = /^(?:(https?):\/\/([^/?#]*)(?=\/))?([^?#]*)$/i.exec(href.trim()) ?? []
      if (path === undefined) return undefined
      if (!scheme) return find(path.startsWith('/') || base === undefined ? path : base + path.replace(/^\.\//, ''))
      const usualPort = scheme.toLowerCase() === 'https' ? /:443$/ : /:80$/
      const asked = authority.toLowerCase().replace(usualPort, '')
      return [ownHost, host?.toLowerCase().replace(usualPort, '')].includes(asked) ? find(path) : undefined
    },
  }
}

export function hrefOf(paths: DavPaths, place: ResourcePath): string {
  switch (place.kind) {
    case 'principal':
      return paths.principal(place.userId)
    case 'object':
      return paths.object(place.name)
    case 'root':
      return place.at ?? paths.root
    default:
      return paths[place.kind]
  }
}

const frontsOf = ({ root }: Site): string[] => (root === '' ? ['/'] : ['/', `${root}/`])

/** What has members; asked without a depth, it would mean all of them. */
export const isCollection = (kind: ResourceKind): boolean => kind !== 'object' && kind !== 'principal'

function principalIn(rest: string): ResourcePath | undefined {
  const userId = /^([0-9a-v]{26})\/?$/.exec(rest)?.[1]
  return userId === undefined ? undefined : { kind: 'principal', userId }
}

const MAX_NAME = 255

/** A slash at the end is allowed: some programs put one behind everything. */
function objectIn(rest: string): ResourcePath | undefined {
  const name = decodeName(rest.replace(/\/$/, ''))
  if (name === undefined || name === '' || name === '.' || name === '..' || name.length > MAX_NAME) return undefined
  return /[\p{Cc}/\\]/u.test(name) ? undefined : { kind: 'object', name }
}

function decodeName(text: string): string | undefined {
  // A slash in it would be another address, escaped or not.
  if (text.includes('/')) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** An @ stays as it is: most names that have one come from programs that write it so. */
const encodeName = (name: string): string => encodeURIComponent(name).replaceAll('%40', '@')
