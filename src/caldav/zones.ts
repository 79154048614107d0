// Zone of floating times: report, account or calendar. RFC 4791 §5.2.2, §9.8, RFC 7809.
import { hash } from 'node:crypto'
import { type OwnProperties, readOwnProperties } from '../actions/caldav-objects/dav-properties.ts'
import { chargeWork } from '../actions/costly-work/charged-work.ts'
import type { Range } from '../domain/time/window.ts'
import { findZone, requireZone, type Zone } from '../domain/time/zone.ts'
import { fail } from '../errors.ts'
import { HEADER } from '../ical/encode.ts'
import { isParseProblem, parseCalendar } from '../ical/text/parse.ts'
import { type Component, findProperty, listComponents } from '../ical/text/tree.ts'
import { findZoneWithin, readDefinedZone } from '../ical/zones/defined-zone.ts'
import { findZoneByTzid } from '../ical/zones/tzid.ts'
import { timeZoneText } from '../ical/zones/vtimezone.ts'
import { LruMap } from '../lru-map.ts'
import { ALL_TIME } from './calendar-data/instances.ts'
import { parseTimeRange } from './filter/time-range.ts'
import { type DavContext, keyOf } from './resources.ts'
import { CALDAV } from './xml/names.ts'
import { childrenOf, findChild, textOf, type XmlElement } from './xml/parse.ts'
import { plainText, type Xml } from './xml/write.ts'

/** As the report names or defines it; otherwise as the account has set it. */
export async function zoneFor(context: DavContext, root: XmlElement): Promise<Zone> {
  const byName = findChild(root, CALDAV, 'timezone-id')
  if (byName) return findZone(textOf(byName).trim()) ?? fail('zone_unknown')
  const defined = findChild(root, CALDAV, 'timezone')
  if (defined) {
    const text = textOf(defined)
    if (isZoneTooLong(text)) fail('data_invalid', { why: 'A time zone has 16 KiB at most.' })
    return (
      findZoneOfDefinition(context, text) ??
      chargeWork(context.caller, () => findZoneInRange(text, rangeOf(root), calendarZone(context))) ??
      fail('data_invalid', { why: 'No known time zone is like this one in the time range of the report.' })
    )
  }
  return accountZone(context, await readOwnProperties(context.ctx, context.viewer))
}

/** The zone of an account has two properties: the definition is stored, and the name is derived from it. */
export const ZONE_KEY = keyOf('calendar', CALDAV, 'calendar-timezone')

export function accountZone(context: DavContext, own: OwnProperties): Zone {
  const kept = own.get(ZONE_KEY)?.value
  return (
    (kept === undefined ? undefined : findZoneOfDefinition(context, plainText(kept as Xml))) ?? calendarZone(context)
  )
}

/** Clients send the whole transition history of a zone. */
export const MAX_ZONE_BYTES = 16_384

/** Checked before anything is parsed. */
export const isZoneTooLong = (text: string): boolean =>
  text.length > MAX_ZONE_BYTES || Buffer.byteLength(text) > MAX_ZONE_BYTES

/** Finds the zone of a definition, and charges the caller. */
export const findZoneOfDefinition = (context: DavContext, text: string): Zone | undefined =>
  chargeWork(context.caller, () => findDefinedZone(text, calendarZone(context)))

/** Finds the known zone of a calendar with one VTIMEZONE. Of zones with the same transitions `ours` is preferred. */
export function findDefinedZone(text: string, ours: Zone): Zone | undefined {
  if (isZoneTooLong(text)) return undefined
  const key = `${ours.name} ${hash('sha256', text, 'base64')}`
  if (zonesByText.has(key)) return zonesByText.get(key)
  const zone = parseZone(text, ours)
  zonesByText.set(key, zone)
  return zone
}

const MAX_CACHED = 500

/** By the hash of the text: a definition takes milliseconds to match, and many reads need its name. */
const zonesByText = new LruMap<string, Zone | undefined>(MAX_CACHED)

function parseZone(text: string, ours: Zone): Zone | undefined {
  const definition = parseDefinition(text)
  const tzid = definition && findProperty(definition, 'TZID')?.value
  return tzid === undefined ? undefined : findZoneByTzid(tzid, definition, ours)
}

function parseDefinition(text: string): Component | undefined {
  const tree = parseCalendar(text.trim())
  if (isParseProblem(tree) || tree.name !== 'VCALENDAR') return undefined
  const [definition, ...others] = listComponents(tree, 'VTIMEZONE')
  return others.length > 0 ? undefined : definition
}

/** For a definition with rules of its own, such as those of one year: a zone with the same offsets in the range. */
function findZoneInRange(text: string, range: Range, ours: Zone): Zone | undefined {
  const definition = parseDefinition(text)
  const own = definition && findProperty(definition, 'TZID') ? readDefinedZone(definition) : undefined
  return own && findZoneWithin(own, range, ours)
}

/** Of all time ranges of a report; all time if one of them is open, or if it has none. */
function rangeOf(root: XmlElement): Range {
  const ranges = listRanges(root).map((range) => parseTimeRange(range) ?? ALL_TIME)
  if (ranges.length === 0) return ALL_TIME
  return { from: Math.min(...ranges.map(({ from }) => from)), to: Math.max(...ranges.map(({ to }) => to)) }
}

const RANGES = ['time-range', 'expand', 'limit-recurrence-set', 'limit-freebusy-set']

const listRanges = (node: XmlElement): XmlElement[] =>
  childrenOf(node).flatMap((child) =>
    child.ns === CALDAV && RANGES.includes(child.name) ? [child] : listRanges(child),
  )

export function zoneText(name: string): string {
  const header = HEADER.map((line) => `${line.name}:${line.value}\r\n`).join('')
  return `BEGIN:VCALENDAR\r\n${header}${timeZoneText(requireZone(name))}END:VCALENDAR\r\n`
}

export const calendarZone = ({ ctx }: DavContext): Zone => requireZone(ctx.config.timezone)
