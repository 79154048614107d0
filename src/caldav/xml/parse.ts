// Parses untrusted XML into a small tree: no DTD, no entities, limits enforced while parsing.
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { runSteps, type Steps } from '../../domain/steps.ts'
import { AppError, fail } from '../../errors.ts'
import { XML, XML_DECLARATIONS } from './names.ts'
import { type OpenElement, readPlainXml } from './plain-xml.ts'

export interface XmlElement {
  readonly ns: string
  /** Without prefix. */
  readonly name: string
  /** By name, prefixed ones as `{ns}name`; without namespace declarations. */
  readonly attributes: ReadonlyMap<string, string>
  /** Blank text between elements is left out. */
  readonly children: readonly (XmlElement | string)[]
}

const MAX_DEPTH = 64
/** Elements, attributes and ignored nodes; text nodes are no more than the tags around them. */
const MAX_NODES = 10_000
const MAX_REFERENCES = 10_000
/** Attributes that clients repeat, from RFC 3253, RFC 4791 and XML. */
const KNOWN_ATTRIBUTES: readonly string[] = [
  'collation',
  'content-type',
  'end',
  'match-type',
  'name',
  'namespace',
  'negate-condition',
  'novalue',
  'start',
  'test',
  'version',
  'xml:lang',
]
/** Different others, namespace declarations included: V8 keeps their names (see `http/connections/request-headers.ts`). */
const MAX_OTHER_ATTRIBUTES = 200
/** Of a namespace or a name: both are repeated with each such element of a response. */
const MAX_NAME_CHARACTERS = 1_000

export const parseXml = (text: string, maxNodes?: number): XmlElement => runSteps(parseXmlInSteps(text, maxNodes))

export function* parseXmlInSteps(text: string, maxNodes = MAX_NODES): Steps<XmlElement> {
  const limits = {
    nodes: maxNodes,
    depth: MAX_DEPTH,
    attributes: MAX_OTHER_ATTRIBUTES,
    tagCharacters: MAX_NAME_CHARACTERS,
  }
  return readPlainXml(text, limits) ?? (yield* parseAnyXml(text, maxNodes))
}

/** The full parser, which also decides on what the fast path leaves to it. */
export function* parseAnyXml(text: string, maxNodes = MAX_NODES): Steps<XmlElement> {
  if (text.includes('<!DOCTYPE') || hasTooManyReferences(text)) fail('invalid_xml')
  return (yield* readTree(text, maxNodes)) ?? fail('invalid_xml')
}

/** Counted before parsing: many references make a small tree but are slow to parse. */
function hasTooManyReferences(text: string): boolean {
  let count = 0
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (++count > MAX_REFERENCES) return true
  }
  return false
}

const RESERVED = [XML, XML_DECLARATIONS]

/** Parsed before yielding; a tag may be as short as four characters. */
const CHARACTERS_AT_ONCE = 8_192

/** Undefined if the text is not well-formed or nested too deeply. */
function* readTree(text: string, maxNodes: number): Steps<XmlElement | undefined> {
  const parser = new SaxesParser({ xmlns: true, position: false, defaultXMLVersion: '1.0', forceXMLVersion: true })
  const stack: OpenElement[] = []
  let root: OpenElement | undefined
  let nodes = 0
  const stop = (): never => {
    throw new RangeError('stopped')
  }
  const count = (): void => {
    if (++nodes > maxNodes) fail('too_many_elements')
  }
  // Blank runs are dropped when their parent closes.
  const addText = (part: string): void => {
    stack.at(-1)?.children.push(part)
  }
  parser.on('error', stop)
  parser.on('doctype', stop)
  const others = new Set<string>()
  parser.on('attribute', ({ name }) => {
    count()
    if (!KNOWN_ATTRIBUTES.includes(name)) others.add(name)
    if (others.size > MAX_OTHER_ATTRIBUTES) fail('too_many_elements')
  })
  parser.on('text', addText)
  parser.on('cdata', (part) => {
    count()
    addText(part)
  })
  parser.on('comment', count)
  parser.on('processinginstruction', count)
  parser.on('opentag', (tag) => {
    count()
    // Reserved for XML itself; such elements could not be repeated in a response.
    if (stack.length >= MAX_DEPTH || RESERVED.includes(tag.uri) || hasLongName(tag)) stop()
    const element = openElement(tag)
    stack.at(-1)?.children.push(element)
    root ??= element
    stack.push(element)
  })
  parser.on('closetag', () => {
    dropBlanks(stack.pop()!)
  })
  try {
    for (let at = 0; at < text.length; at += CHARACTERS_AT_ONCE) {
      parser.write(text.slice(at, at + CHARACTERS_AT_ONCE))
      yield
    }
    parser.close()
  } catch (error) {
    if (error instanceof AppError) throw error
    return undefined
  }
  return root
}

const hasLongName = (tag: SaxesTagNS): boolean => isLongName(tag) || Object.values(tag.attributes).some(isLongName)

const isLongName = ({ uri, local }: { uri: string; local: string }): boolean =>
  uri.length > MAX_NAME_CHARACTERS || local.length > MAX_NAME_CHARACTERS

const openElement = (tag: SaxesTagNS): OpenElement => ({
  ns: tag.uri,
  name: tag.local,
  attributes: new Map(
    Object.values(tag.attributes)
      .filter(({ uri }) => uri !== XML_DECLARATIONS)
      .map(({ uri, local, value }) => [uri === '' ? local : `{${uri}}${local}`, value]),
  ),
  children: [],
})

/** Blank text between elements is layout; a blank text alone may be a value. */
function dropBlanks({ children }: OpenElement): void {
  if (!children.some((child) => typeof child !== 'string')) return
  const kept = children.filter((child) => typeof child !== 'string' || child.trim() !== '')
  children.splice(0, children.length, ...kept)
}

export const isElement = (node: XmlElement | string): node is XmlElement => typeof node !== 'string'

export const childrenOf = (parent: XmlElement): XmlElement[] => parent.children.filter(isElement)

export const listChildren = (parent: XmlElement, ns: string, name: string): XmlElement[] =>
  childrenOf(parent).filter((child) => child.ns === ns && child.name === name)

export const findChild = (parent: XmlElement, ns: string, name: string): XmlElement | undefined =>
  childrenOf(parent).find((child) => child.ns === ns && child.name === name)

/** The text of an element itself, without that of its children. */
export function textOf({ children }: XmlElement): string {
  const [first] = children
  if (children.length === 1 && typeof first === 'string') return first
  return children.filter((child) => typeof child === 'string').join('')
}
