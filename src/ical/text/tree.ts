// iCalendar as a tree of lines. An unchanged line keeps its exact text (RFC 5545 §3.1).

export interface Property {
  /** Upper case. */
  readonly name: string
  /** Parameters in their original order; names in upper case, values without quotes. */
  readonly params: readonly Param[]
  /** The value as on the line, still escaped. */
  readonly value: string
  /** The original physical lines with their folds; absent on new lines. */
  readonly raw?: string
}

export interface Param {
  readonly name: string
  readonly values: readonly string[]
}

export interface Component {
  /** Upper case. */
  readonly name: string
  readonly children: readonly (Property | Component)[]
}

/** ASCII letters only: `toUpperCase` turns ı into I and ſ into S, which no other program does. */
export const upperCaseAscii = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())

export const isComponent = (node: Property | Component): node is Component => 'children' in node

export const property = (name: string, value: string, params: Record<string, string> = {}): Property => ({
  name,
  value,
  params: Object.entries(params).map(([paramName, paramValue]) => ({ name: paramName, values: [paramValue] })),
})

export const component = (name: string, children: readonly (Property | Component)[]): Component => ({ name, children })

export const findProperty = (parent: Component, name: string): Property | undefined =>
  parent.children.find((node): node is Property => !isComponent(node) && node.name === name)

export const listProperties = (parent: Component, name: string): Property[] =>
  parent.children.filter((node): node is Property => !isComponent(node) && node.name === name)

export const listComponents = (parent: Component, name: string): Component[] =>
  parent.children.filter((node): node is Component => isComponent(node) && node.name === name)

export const paramOf = (line: Property, name: string): string | undefined =>
  line.params.find((param) => param.name === name)?.values[0]

/** Replaces every property of that name with these lines, at the place of the first, or after the last property. */
export function withProperties(parent: Component, name: string, lines: readonly Property[]): Component {
  const isOld = (node: Property | Component): boolean => !isComponent(node) && node.name === name
  const first = parent.children.findIndex(isOld)
  if (first < 0 && lines.length === 0) return parent
  const rest = parent.children.filter((node) => !isOld(node))
  const at = first >= 0 ? first : rest.filter((node) => !isComponent(node)).length
  return { ...parent, children: [...rest.slice(0, at), ...lines, ...rest.slice(at)] }
}

/** TEXT values: backslash, comma, semicolon and line break are escaped (RFC 5545 §3.3.11). */
export const escapeText = (text: string): string =>
  text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replace(/\r\n?|\n/g, '\\n')

export const unescapeText = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign))

/** The values of a comma list, still escaped; an escaped comma does not separate. */
export function splitList(value: string, most = Infinity): string[] {
  const parts: string[] = []
  for (let from = 0; ; ) {
    const comma = findComma(value, from)
    parts.push(value.slice(from, comma < 0 ? undefined : comma))
    if (comma < 0 || parts.length >= most) return parts
    from = comma + 1
  }
}

/** The first value, without reading the others. */
export function firstOfList(value: string): string {
  const comma = findComma(value, 0)
  return comma < 0 ? value : value.slice(0, comma)
}

/** The next comma with an even number of backslashes before it. */
function findComma(value: string, from: number): number {
  for (let at = value.indexOf(',', from); at >= 0; at = value.indexOf(',', at + 1)) {
    let backslashes = 0
    while (value[at - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return -1
}
