// Fast path for XML of elements, attributes and plain text: cut at the tags, not read by character.
import { XML, XML_DECLARATIONS } from './names.ts'

/** An element that is being read. */
export interface OpenElement {
  readonly ns: string
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: (OpenElement | string)[]
}

export interface XmlLimits {
  /** Elements and attributes. */
  nodes: number
  depth: number
  /** Of all elements together, namespace declarations included. */
  attributes: number
  /** Of a whole tag, so that no name and no namespace in it is longer. */
  tagCharacters: number
}

/** Within both, reading takes some 2 ms; what is longer is parsed in parts, between which other requests are served. */
const MAX_CHARACTERS = 65_536
const MAX_ELEMENTS = 3_000

/**
 * The same tree as that of the full parser, or undefined: for what is not plain, not well-formed or beyond a limit the
 * full parser decides, so that every error comes from there. Whatever this reader accepts must be accepted there too.
 */
export function readPlainXml(document: string, limits: XmlLimits): OpenElement | undefined {
  if (document.length > MAX_CHARACTERS) return undefined
  // XML 1.0 §2.11. A carriage return alone is left, and is not plain.
  const text = document.includes('\r') ? document.replaceAll('\r\n', '\n') : document
  if (text.includes('&') || text.includes(']]>') || NOT_PLAIN.test(text)) return undefined
  return readElements(text, PROLOGUE.exec(text)![0].length, limits)
}

/** Characters that XML forbids; those outside the basic plane are rare here, and left out with them. */
const NOT_PLAIN = /[\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]/

/** The encoding is not looked at: the body was decoded before. */
const PROLOGUE =
  /^(?:<\?xml version=(?:"1\.0"|'1\.0')(?: encoding=(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?: standalone="(?:yes|no)")? ?\?>)?[ \t\n]*/

/** Namespaces by prefix; that of names without a prefix is under ''. */
type NamespaceScope = ReadonlyMap<string, string>

interface Level {
  element: OpenElement
  closing: string
  scope: NamespaceScope
}

function readElements(text: string, from: number, limits: XmlLimits): OpenElement | undefined {
  const levels: Level[] = []
  // The last one that was parsed: most tags of a long document are those of an element that is repeated.
  let tag: Tag | undefined
  let [elements, attributes] = [0, 0]
  for (let at = from; ; ) {
    const begin = text.indexOf('<', at)
    if (begin < 0) return undefined
    const parent = levels[levels.length - 1]
    const isClosing = text.charCodeAt(begin + 1) === SLASH
    if (begin > at) {
      if (!parent) return undefined
      addText(parent.element.children, text.slice(at, begin), isClosing)
    }
    let closed: OpenElement | undefined
    if (isClosing) {
      if (!parent || !text.startsWith(parent.closing, begin)) return undefined
      at = begin + parent.closing.length
      levels.pop()
      closed = parent.element
    } else {
      if (!tag || !text.startsWith(tag.source, begin)) tag = parseTag(text, begin, limits)
      if (!tag || levels.length >= limits.depth) return undefined
      at = begin + tag.source.length
      elements += 1
      attributes += tag.attributeCount
      if (elements > MAX_ELEMENTS || attributes > limits.attributes) return undefined
      if (elements + attributes > limits.nodes) return undefined
      const scope = declare(tag, parent?.scope ?? NO_SCOPE)
      const element = openElement(tag, scope)
      if (!element) return undefined
      parent?.element.children.push(element)
      if (tag.isEmpty) closed = element
      else levels.push({ element, closing: tag.closing, scope })
    }
    if (closed && levels.length === 0) return BLANK.test(text.slice(at)) ? closed : undefined
  }
}

const SLASH = 47
const BLANK = /^[ \t\n]*$/

/** Blank text between elements is layout; a blank text alone may be a value. */
function addText(children: OpenElement['children'], part: string, isClosing: boolean): void {
  if ((isClosing && children.length === 0) || part.trim() !== '') children.push(part)
}

/** A tag before its names are resolved, which depends on the elements around it. */
interface Tag {
  /** The whole tag. */
  source: string
  /** The tag that ends the element. */
  closing: string
  prefix: string
  local: string
  isEmpty: boolean
  declarations: [prefix: string, ns: string][]
  attributes: { prefix: string; local: string; value: string }[]
  attributeCount: number
}

const OPENING = /<([A-Za-z_][\w.-]*)(?::([A-Za-z_][\w.-]*))?/y
/** A tab or line end in a value would become a space. */
const ATTRIBUTE =
  /[ \t\n]+([A-Za-z_][\w.-]*)(?::([A-Za-z_][\w.-]*))?[ \t\n]*=[ \t\n]*(?:"([^"<\t\n]*)"|'([^'<\t\n]*)')/y
const END = /[ \t\n]*(\/?)>/y

function parseTag(text: string, begin: number, limits: XmlLimits): Tag | undefined {
  const name = matchAt(OPENING, text, begin)
  if (!name) return undefined
  const declarations: Tag['declarations'] = []
  const attributes: Tag['attributes'] = []
  let at = begin + name[0].length
  for (let match = matchAt(ATTRIBUTE, text, at); match; match = matchAt(ATTRIBUTE, text, at)) {
    if (at - begin > limits.tagCharacters) return undefined
    const [prefix, local] = splitName(match)
    const value = match[3] ?? match[4]!
    if (prefix === 'xmlns') declarations.push([local, value.trim()])
    else if (prefix === '' && local === 'xmlns') declarations.push(['', value.trim()])
    else attributes.push({ prefix, local, value })
    at += match[0].length
  }
  const end = matchAt(END, text, at)
  if (!end || !areUsual(declarations)) return undefined
  const source = text.slice(begin, at + end[0].length)
  if (source.length > limits.tagCharacters) return undefined
  const [prefix, local] = splitName(name)
  return {
    source,
    closing: `</${name[0].slice(1)}>`,
    prefix,
    local,
    isEmpty: end[1] === '/',
    declarations,
    attributes,
    attributeCount: declarations.length + attributes.length,
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const splitName = ([, first, second]: RegExpExecArray): [prefix: string, local: string] =>
  second === undefined ? ['', first!] : [first!, second]

/** Each once, no prefix without a namespace, and nothing that is reserved (Namespaces in XML 1.0 §3). */
const areUsual = (declarations: Tag['declarations']): boolean =>
  new Set(declarations.map(([prefix]) => prefix)).size === declarations.length &&
  declarations.every(
    ([prefix, ns]) => !/^xml(?:ns)?$/.test(prefix) && !(ns === '' && prefix !== '') && !RESERVED.includes(ns),
  )

const RESERVED: readonly string[] = [XML, XML_DECLARATIONS]

const NO_SCOPE: NamespaceScope = new Map()

const declare = ({ declarations }: Tag, outer: NamespaceScope): NamespaceScope =>
  declarations.length === 0 ? outer : new Map([...outer, ...declarations])

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

/** Undefined if a prefix has no declaration or an attribute stands twice; `xml` counts as undeclared. */
function openElement(tag: Tag, scope: NamespaceScope): OpenElement | undefined {
  const ns = tag.prefix === '' ? (scope.get('') ?? '') : scope.get(tag.prefix)
  const attributes = tag.attributes.length === 0 ? NO_ATTRIBUTES : resolveAttributes(tag, scope)
  return ns === undefined || !attributes ? undefined : { ns, name: tag.local, attributes, children: [] }
}

function resolveAttributes({ attributes }: Tag, scope: NamespaceScope): ReadonlyMap<string, string> | undefined {
  const resolved = new Map<string, string>()
  for (const { prefix, local, value } of attributes) {
    const ns = prefix === '' ? '' : scope.get(prefix)
    if (ns === undefined) return undefined
    resolved.set(ns === '' ? local : `{${ns}}${local}`, value)
  }
  return resolved.size === attributes.length ? resolved : undefined
}
