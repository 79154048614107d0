// Renders errors as DAV:error XML: the RFC's precondition, plus the service's code and message.
import { AppError, type ErrorCode, errors } from '../errors.ts'
import type { ErrorRenderer } from '../http/responses/errors.ts'
import { DAV_CLASSES } from './dav-header.ts'
import type { DavPaths } from './paths.ts'
import { CALDAV, DAV } from './xml/names.ts'
import { document, element, textElement, type Xml } from './xml/write.ts'

export const XML_TYPE = 'application/xml; charset=utf-8'
const OWN = 'urn:daybook:error'

/** Basic, only for CalDAV: calendar clients support nothing else, and browsers do not use these paths. */
const CHALLENGE = 'Basic realm="calendar", charset="UTF-8"'

export const createDavErrorRenderer = (paths: DavPaths): ErrorRenderer => ({
  owns: ({ url, routeOptions }) =>
    routeOptions?.config?.isDav === true ||
    url.startsWith(paths.root) ||
    /^[^?#]*/.exec(url)![0] === paths.root.slice(0, -1),
  headersOf: (code) => ({
    'content-type': XML_TYPE,
    dav: DAV_CLASSES,
    ...(errors[code].status === 401 ? { 'www-authenticate': CHALLENGE } : {}),
  }),
  renderError: (code, details = {}) =>
    document(DAV, 'error', {}, ...preconditionOf(code, details, paths), ...descriptionOf(code, details)),
})

/** The same inside a multistatus response. */
export const errorElement = (code: ErrorCode): Xml =>
  element(DAV, 'error', {}, ...[findPrecondition(code)].flatMap((name) => (name ? [element(...name)] : [])))

function findPrecondition(code: ErrorCode): [ns: string, name: string] | undefined {
  const row = errors[code]
  const [letter, name] = 'dav' in row ? row.dav.split(':') : []
  return name === undefined ? undefined : [letter === 'C' ? CALDAV : DAV, name]
}

function preconditionOf(code: ErrorCode, details: Record<string, unknown>, paths: DavPaths): Xml[] {
  const precondition = findPrecondition(code)
  if (!precondition) return []
  const [ns, name] = precondition
  if (name === 'need-privileges') return [element(ns, name, {}, neededPrivilege(details, paths))]
  const { href } = details
  return [element(ns, name, {}, ...(typeof href === 'string' ? [textElement(DAV, 'href', href)] : []))]
}

/** RFC 3744 §7.1.1: the missing privilege, and the resource it is missing on. */
function neededPrivilege({ privilege = 'write', href }: Record<string, unknown>, paths: DavPaths): Xml {
  const resource = typeof href === 'string' ? href : paths.calendar
  const needed = element(DAV, 'privilege', {}, element(DAV, String(privilege)))
  return element(DAV, 'resource', {}, textElement(DAV, 'href', resource), needed)
}

/** Contains only fixed texts of the service; of the request at most a line number. */
function descriptionOf(code: ErrorCode, { why, line, request_id: requestId }: Record<string, unknown>): Xml[] {
  const said = { code, message: errors[code].message, why, line, 'request-id': requestId }
  return Object.entries(said)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => textElement(OWN, name, String(value)))
}

/** Adds to `uid_conflict` the href of the object that has the UID (RFC 4791 §5.3.2.1). */
export const withConflictHref = <T>(paths: DavPaths, writing: Promise<T>): Promise<T> =>
  writing.catch((error) => {
    if (!(error instanceof AppError) || error.code !== 'uid_conflict') throw error
    const name = error.details?.name
    throw new AppError(error.code, { details: typeof name === 'string' ? { href: paths.object(name) } : {} })
  })
