// Lines of foreign events that say what they mean in a way nobody could send back: said in ours, all others untouched.
import { stripControlCharacters } from '../../domain/calendar/words.ts'
import type { Steps } from '../../domain/steps.ts'
import { type Component, escapeText, findProperty, isComponent, type Property, unescapeText } from '../text/tree.ts'

/** Of the main event and of its edited occurrences alike. */
export function* tidyInSteps(event: Component): Steps<Component> {
  const children: (Property | Component)[] = []
  let characters = 0
  for (const node of event.children) {
    children.push(isComponent(node) ? node : tidied(node))
    characters += LINE_CHARACTERS + (isComponent(node) ? 0 : node.value.length)
    if (characters < CHARACTERS_AT_ONCE) continue
    characters = 0
    yield
  }
  return children.every((node, i) => node === event.children[i]) ? event : { ...event, children }
}

/** Looked at without a pause. A line counts as this many more. */
const CHARACTERS_AT_ONCE = 16_384
const LINE_CHARACTERS = 160

function tidied(line: Property): Property {
  const value = tidyLine(line)
  return value === line.value ? line : { name: line.name, params: line.params, value }
}

function tidyLine({ name, value }: Property): string {
  if (name === 'URL') return withoutBlanks(value)
  if (name === 'RRULE') return plainRule(value)
  if (name === 'SUMMARY') return onOneLine(tamed(value, ' '))
  return TEXTS.includes(name) ? tamed(value, name === 'DESCRIPTION' ? '\n' : ' ') : value
}

const TEXTS = ['DESCRIPTION', 'LOCATION', 'CATEGORIES']

/**
 * Signs that JSON refuses are taken out of the texts we show; lines that only other programs read keep them. None of them
 * is part of an escape, so the value is not split and unescaped for that.
 */
const tamed = (value: string, lineBreak: ' ' | '\n'): string =>
  stripControlCharacters(value, lineBreak).replaceAll('\n', '\\n')

/** A title is one line: breaks and tabs in it, with the blanks around them, become a blank. */
function onOneLine(value: string): string {
  const title = unescapeText(value)
  if (!/[\n\t]/.test(title)) return value
  return escapeText(title.replace(/\s+/g, (blanks) => (blanks.includes('\n') || blanks.includes('\t') ? ' ' : blanks)))
}

/** Browsers take blanks in an address for their code; so do we. */
const withoutBlanks = (value: string): string =>
  /^\s*https?:\/\//i.test(value) ? value.trim().replace(/\p{Zs}/gu, encodeURIComponent) : value

/** Blanks, empty parts, parts of one program's own and the calendar that is meant anyway change no rule. */
export function plainRule(value: string): string {
  const parts = value.replace(/\s+/g, '').split(';')
  return parts.filter((part) => part !== '' && !/^(?:X-|RSCALE=GREGORIAN$)/i.test(part)).join(';')
}

/** Where nothing recurs there is nothing to take out: such a line would hide the event itself. */
export const withoutExclusions = (calendar: Component): Component => ({
  ...calendar,
  children: calendar.children.map((node) =>
    isComponent(node) && findProperty(node, 'EXDATE')
      ? { ...node, children: node.children.filter((line) => isComponent(line) || line.name !== 'EXDATE') }
      : node,
  ),
})
