// Writes XML with fixed prefixes declared on the root; drops characters that XML cannot represent.
import { stripXmlRefused } from '../../domain/plain-text.ts'
import { PREFIXES, XML } from './names.ts'
import { isElement, type XmlElement } from './parse.ts'

declare const markup: unique symbol

/** Text that is already XML. Only this file creates it, so no text is sent unescaped. */
export type Xml = string & { readonly [markup]: true }

export type XmlAttributes = Readonly<Record<string, string>>

/** `<D:href>…</D:href>`; names of other namespaces carry their declaration. */
export function element(ns: string, name: string, attributes: XmlAttributes = {}, ...children: readonly Xml[]): Xml {
  const [tag, declaration] = tagOf(ns, name)
  const start = `<${tag}${declaration}${attributesText(attributes)}`
  return (children.length === 0 ? `${start}/>` : `${start}>${children.join('')}</${tag}>`) as Xml
}

/** An element with only text. */
export const textElement = (ns: string, name: string, value: string): Xml => element(ns, name, {}, text(value))

/**
 * Character data. A carriage return is written as a reference, because a parser would turn CRLF into LF: calendar data
 * is returned byte for byte as sent (XML 1.0 §2.11).
 */
export const text = (value: string): Xml =>
  stripXmlRefused(value).replace(/[&<>\r]/g, (sign) => REFERENCES[sign]!) as Xml

/**
 * Serialises the content of a parsed element; names of other namespaces carry their declarations. Undefined if it is
 * longer than `maxCharacters`, which is checked while writing: each declaration is repeated.
 */
export const innerOf = (parent: XmlElement, maxCharacters: number): Xml | undefined =>
  writeInner(parent, { left: maxCharacters })

/** Characters that may still be written. */
interface Room {
  left: number
}

function writeInner({ children }: XmlElement, room: Room): Xml | undefined {
  const pieces: Xml[] = []
  for (const child of children) {
    const piece = isElement(child) ? writeOuter(child, room) : writeText(child, room)
    if (piece === undefined) return undefined
    pieces.push(piece)
  }
  return join(...pieces)
}

function writeText(value: string, room: Room): Xml | undefined {
  room.left -= value.length
  return room.left < 0 ? undefined : text(value)
}

function writeOuter(read: XmlElement, room: Room): Xml | undefined {
  const { ns, name, attributes, children } = read
  room.left -= ns.length + name.length
  for (const [attribute, value] of attributes) room.left -= attribute.length + value.length
  if (room.left < 0) return undefined
  const inner = writeInner(read, room)
  return inner === undefined
    ? undefined
    : element(ns, name, Object.fromEntries(attributes), ...(children.length === 0 ? [] : [inner]))
}

/** Concatenates pieces. */
export const join = (...pieces: readonly Xml[]): Xml => pieces.join('') as Xml

/** A whole document. */
export const document = (ns: string, name: string, attributes: XmlAttributes = {}, ...children: readonly Xml[]): Xml =>
  (openDocument(ns, name, attributes) + children.join('') + closeDocument(ns, name)) as Xml

/** For streamed responses: everything up to the first child of the root. */
export function openDocument(ns: string, name: string, attributes: XmlAttributes = {}): Xml {
  const [tag, declaration] = tagOf(ns, name)
  return `<?xml version="1.0" encoding="utf-8"?>\n<${tag}${DECLARATIONS}${declaration}${attributesText(attributes)}>` as Xml
}

export const closeDocument = (ns: string, name: string): Xml => `</${tagOf(ns, name)[0]}>\n` as Xml

const DECLARATIONS = [...PREFIXES].map(([ns, prefix]) => ` xmlns:${prefix}="${ns}"`).join('')

/** The prefixed name, and the declaration it needs. Names are constants or were parsed from XML, so they are valid. */
function tagOf(ns: string, name: string): [string, string] {
  const prefix = PREFIXES.get(ns)
  if (prefix !== undefined) return [`${prefix}:${name}`, '']
  return ns === '' ? [name, ''] : [`X:${name}`, ` xmlns:X="${attributeText(ns)}"`]
}

const attributesText = (attributes: XmlAttributes): string =>
  Object.entries(attributes)
    .map(([name, value], index) => ` ${attributeName(name, index)}="${attributeText(value)}"`)
    .join('')

/** `{ns}name` is a prefixed attribute; each carries its own declaration. */
function attributeName(name: string, index: number): string {
  const end = name.lastIndexOf('}')
  if (end < 0) return name
  const [ns, local] = [name.slice(1, end), name.slice(end + 1)]
  const prefix = ns === XML ? 'xml' : PREFIXES.get(ns)
  return prefix ? `${prefix}:${local}` : `xmlns:Y${index}="${attributeText(ns)}" Y${index}:${local}`
}

const attributeText = (value: string): string =>
  stripXmlRefused(value).replace(/[&<>"\t\n\r]/g, (sign) => REFERENCES[sign]!)

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** The inverse of `text`, for XML that holds only text. */
export const plainText = (written: Xml): string =>
  written.replace(/&(?:amp|lt|gt|#13);/g, (reference) => SIGNS.get(reference)!)

const SIGNS = new Map(Object.entries(REFERENCES).map(([sign, reference]) => [reference, sign]))
