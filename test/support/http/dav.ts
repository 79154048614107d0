// A small CalDAV client for tests: sends WebDAV requests and parses the responses.
import type { InjectOptions } from 'light-my-request'
import { DAV } from '../../../src/caldav/xml/names.ts'
import {
  childrenOf,
  findChild,
  listChildren,
  parseXml,
  textOf,
  type XmlElement,
} from '../../../src/caldav/xml/parse.ts'
import type { Client } from '../world.ts'
import type { ApiResponse } from './api-response.ts'

/** `D:getetag`, `C:calendar-data`, `CS:getctag`, `A:calendar-color`; others as `{ns}name`. */
const NAMESPACES: Record<string, string> = {
  D: 'DAV:',
  C: 'urn:ietf:params:xml:ns:caldav',
  CS: 'http://calendarserver.org/ns/',
  A: 'http://apple.com/ns/ical/',
}
export const DECLARED = Object.entries(NAMESPACES)
  .map(([letter, ns]) => `xmlns:${letter}="${ns}"`)
  .join(' ')

export interface FoundResource {
  href: string
  /** Status of the resource as a whole, where it has one. */
  status: number | undefined
  /** By short name: its status, and the element. */
  props: Record<string, { status: number; element: XmlElement; text: string }>
  /** Names of preconditions. */
  errors: string[]
}

export interface DavAnswer extends ApiResponse {
  xml: XmlElement | undefined
  /** The responses of a multistatus, in order. */
  found: FoundResource[]
  /** The preconditions in an error. */
  errors: string[]
}

type DavHeaders = Record<string, string>

export interface Dav {
  send(method: string, url: string, body?: string, headers?: DavHeaders): Promise<DavAnswer>
  options(url: string): Promise<DavAnswer>
  propfind(
    url: string,
    depth: string | undefined,
    props?: readonly string[] | string,
    headers?: DavHeaders,
  ): Promise<DavAnswer>
  proppatch(
    url: string,
    set: Record<string, string>,
    remove?: readonly string[],
    headers?: DavHeaders,
  ): Promise<DavAnswer>
  report(url: string, body: string, headers?: DavHeaders): Promise<DavAnswer>
  put(url: string, text: string, headers?: DavHeaders): Promise<DavAnswer>
  get(url: string, headers?: DavHeaders): Promise<DavAnswer>
  delete(url: string, headers?: DavHeaders): Promise<DavAnswer>
  move(url: string, destination: string, headers?: DavHeaders): Promise<DavAnswer>
}

export function davOf(client: Client): Dav {
  const send: Dav['send'] = async (method, url, body, headers = {}) => {
    const payload = body === undefined ? {} : { payload: body }
    return read(await client.send({ method: method as InjectOptions['method'] & string, url, headers, ...payload }))
  }
  const withXml = (method: string, url: string, body: string | undefined, headers: DavHeaders): Promise<DavAnswer> =>
    send(method, url, body, body === undefined ? headers : { 'content-type': 'application/xml', ...headers })
  return {
    send,
    options: (url) => send('OPTIONS', url),
    propfind: (url, depth, props, headers = {}) =>
      withXml('PROPFIND', url, propfindBody(props), { ...(depth === undefined ? {} : { depth }), ...headers }),
    proppatch: (url, set, remove = [], headers = {}) => withXml('PROPPATCH', url, updateBody(set, remove), headers),
    report: (url, body, headers = {}) => withXml('REPORT', url, body, headers),
    put: (url, text, headers = {}) => send('PUT', url, text, { 'content-type': 'text/calendar', ...headers }),
    get: (url, headers) => send('GET', url, undefined, headers),
    delete: (url, headers) => send('DELETE', url, undefined, headers),
    move: (url, destination, headers = {}) => send('MOVE', url, undefined, { destination, ...headers }),
  }
}

/** An element that is empty, or has this content. */
export function tag(name: string, inner = ''): string {
  const [, ns, local] = /^\{(.*)\}(.+)$/.exec(name) ?? []
  return local === undefined ? `<${name}>${inner}</${name}>` : `<X:${local} xmlns:X="${ns}">${inner}</X:${local}>`
}

const propfindBody = (props: readonly string[] | string | undefined): string | undefined => {
  if (props === undefined) return undefined
  const inner = typeof props === 'string' ? props : `<D:prop>${props.map((name) => tag(name)).join('')}</D:prop>`
  return `<?xml version="1.0" encoding="utf-8"?><D:propfind ${DECLARED}>${inner}</D:propfind>`
}

function updateBody(set: Record<string, string>, remove: readonly string[]): string {
  const parts = [
    ...Object.entries(set).map(([name, inner]) => `<D:set><D:prop>${tag(name, inner)}</D:prop></D:set>`),
    ...remove.map((name) => `<D:remove><D:prop>${tag(name)}</D:prop></D:remove>`),
  ]
  return `<D:propertyupdate ${DECLARED}>${parts.join('')}</D:propertyupdate>`
}

function read(answer: ApiResponse): DavAnswer {
  const isXml = /^application\/xml/.test(String(answer.headers['content-type'])) && answer.text !== ''
  const xml = isXml ? parseXml(answer.text) : undefined
  const isError = xml?.ns === DAV && xml.name === 'error'
  const responses = xml && !isError ? listChildren(xml, DAV, 'response') : []
  return { ...answer, xml, found: responses.map(readResponse), errors: isError ? preconditionsIn(xml) : [] }
}

function readResponse(response: XmlElement): FoundResource {
  const props: FoundResource['props'] = {}
  for (const propstat of listChildren(response, DAV, 'propstat'))
    for (const element of childrenOf(findChild(propstat, DAV, 'prop')!))
      props[shortName(element)] = { status: statusIn(propstat)!, element, text: textOf(element) }
  const errors = [response, ...listChildren(response, DAV, 'propstat')].flatMap((node) =>
    listChildren(node, DAV, 'error').flatMap(preconditionsIn),
  )
  return { href: textOf(findChild(response, DAV, 'href')!), status: statusIn(response), props, errors }
}

const statusIn = (parent: XmlElement): number | undefined => {
  const status = findChild(parent, DAV, 'status')
  return status && Number(textOf(status).split(' ')[1])
}

const preconditionsIn = (error: XmlElement): string[] =>
  childrenOf(error)
    .filter(({ ns }) => Object.values(NAMESPACES).includes(ns))
    .map(shortName)

export function shortName({ ns, name }: XmlElement): string {
  const letter = Object.keys(NAMESPACES).find((key) => NAMESPACES[key] === ns)
  return letter ? `${letter}:${name}` : `{${ns}}${name}`
}
