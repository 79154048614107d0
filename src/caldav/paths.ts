// CalDAV paths: parses a path to a resource, builds canonical paths. Names are decoded once.
import type { Site } from '../http/site.ts'

export type ResourceKind = ResourcePath['kind']

export type ResourcePath =
  /** `at` is the path of the request, if not the canonical one. */
  | { kind: 'root'; at?: string }
  | { kind: 'principals' | 'home' | 'calendar' }
  | { kind: 'principal'; userId: string }
  | { kind: 'object'; name: string }

export interface DavPaths {
  root: string
  /** Paths of the site itself, for clients that know only its address. */
  fronts: readonly string[]
  principals: string
  /** The same for all accounts: there is one calendar. */
  home: string
  calendar: string
  principal(userId: string): string
  object(name: string): string
  /** Undefined for a path outside CalDAV or a malformed one. */
  find(path: string): ResourcePath | undefined
  /** An href as clients write it in a body or a header: a path, or a URL on this host; relative if there is a base. */
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
      const name = href.startsWith(calendar) ? href.slice(calendar.length) : ''
      if (PLAIN_NAME.test(name)) return { kind: 'object', name }
      const [, scheme, authority = '', path] = /^(?:(https?):\/\/([^/?#]*)(?=\/))?([^?#]*)$/i.exec(href.trim()) ?? []
      if (path === undefined) return undefined
      if (!scheme) return find(path.startsWith('/') || base === undefined ? path : base + path.replace(/^\.\//, ''))
      const usualPort = scheme.toLowerCase() === 'https' ? /:443$/ : /:80$/
      const asked = authority.toLowerCase().replace(usualPort, '')
      return [ownHost, host?.toLowerCase().replace(usualPort, '')].includes(asked) ? find(path) : undefined
    },
  }
}

export function hrefOf(paths: DavPaths, target: ResourcePath): string {
  switch (target.kind) {
    case 'principal':
      return paths.principal(target.userId)
    case 'object':
      return paths.object(target.name)
    case 'root':
      return target.at ?? paths.root
    default:
      return paths[target.kind]
  }
}

const frontsOf = ({ root }: Site): string[] => (root === '' ? ['/'] : ['/', `${root}/`])

/** Resources with members; without Depth a request would include all of them. */
export const isCollection = (kind: ResourceKind): boolean => kind !== 'object' && kind !== 'principal'

function principalIn(rest: string): ResourcePath | undefined {
  const userId = /^([0-9a-v]{26})\/?$/.exec(rest)?.[1]
  return userId === undefined ? undefined : { kind: 'principal', userId }
}

const MAX_NAME = 255

/** Nothing to decode, and no path: most names are such, and a multiget has hundreds. */
const PLAIN_NAME = /^[\w-][\w.@-]{0,250}$/

/** A trailing slash is allowed: some clients append one to every path. */
function objectIn(rest: string): ResourcePath | undefined {
  const name = decodeName(rest.replace(/\/$/, ''))
  if (name === undefined || name === '' || name === '.' || name === '..' || name.length > MAX_NAME) return undefined
  return /[\p{Cc}/\\]/u.test(name) ? undefined : { kind: 'object', name }
}

function decodeName(text: string): string | undefined {
  // A slash would make it another path.
  if (text.includes('/')) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** An @ is not escaped: most names that have one come from clients that write it so. */
const encodeName = (name: string): string => encodeURIComponent(name).replaceAll('%40', '@')
