// Sanitises lines of foreign events that the API would refuse; all others stay unchanged.

import { stripControlCharacters } from '../../domain/plain-text.ts'
import type { Steps } from '../../domain/steps.ts'
import { type Component, escapeText, findProperty, isComponent, type Property, unescapeText } from '../text/tree.ts'

/** For the main event and its overrides alike. */
export function* sanitizeInSteps(event: Component): Steps<Component> {
  const children: (Property | Component)[] = []
  let characters = 0
  for (const node of event.children) {
    children.push(isComponent(node) ? node : sanitizeProperty(node))
    characters += LINE_CHARACTERS + (isComponent(node) ? 0 : node.value.length)
    if (characters < CHARACTERS_AT_ONCE) continue
    characters = 0
    yield
  }
  return children.every((node, i) => node === event.children[i]) ? event : { ...event, children }
}

/** Characters processed before yielding. A line counts as this many more. */
const CHARACTERS_AT_ONCE = 16_384
const LINE_CHARACTERS = 160

function sanitizeProperty(line: Property): Property {
  const value = sanitizeValue(line)
  return value === line.value ? line : { name: line.name, params: line.params, value }
}

function sanitizeValue({ name, value }: Property): string {
  if (name === 'URL') return withoutBlanks(value)
  if (name === 'RRULE' || name === 'EXRULE') return plainRule(value)
  if (name === 'SUMMARY') return onOneLine(stripped(value, ' '))
  return TEXTS.includes(name) ? stripped(value, name === 'DESCRIPTION' ? '\n' : ' ') : value
}

const TEXTS = ['DESCRIPTION', 'LOCATION', 'CATEGORIES']

/**
 * Characters that JSON input refuses are removed from the texts we show; other properties keep them. None of them is
 * part of an escape, so the value need not be unescaped.
 */
const stripped = (value: string, lineBreak: ' ' | '\n'): string =>
  stripControlCharacters(value, lineBreak).replaceAll('\n', '\\n')

/** A title is one line: line breaks and tabs, with the blanks around them, become a space. */
function onOneLine(value: string): string {
  const title = unescapeText(value)
  if (!/[\n\t]/.test(title)) return value
  return escapeText(title.replace(/\s+/g, (blanks) => (blanks.includes('\n') || blanks.includes('\t') ? ' ' : blanks)))
}

/** Percent-encodes blanks in a URL, as browsers do. */
const withoutBlanks = (value: string): string =>
  /^\s*https?:\/\//i.test(value) ? value.trim().replace(/\p{Zs}/gu, encodeURIComponent) : value

/** Removes blanks, empty parts, X- parts and RSCALE=GREGORIAN, which do not change a rule. */
export function plainRule(value: string): string {
  const parts = value.replace(/\s+/g, '').split(';')
  return parts.filter((part) => part !== '' && !/^(?:X-|RSCALE=GREGORIAN$)/i.test(part)).join(';')
}

/** An EXDATE of an event that does not recur would hide the event itself. */
export const withoutExclusions = (calendar: Component): Component => ({
  ...calendar,
  children: calendar.children.map((node) =>
    isComponent(node) && findProperty(node, 'EXDATE')
      ? { ...node, children: node.children.filter((line) => isComponent(line) || line.name !== 'EXDATE') }
      : node,
  ),
})
