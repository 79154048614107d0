// Maps Windows time zone names, internal and displayed, to IANA zones.
import { findWindows, IANA_ALIAS_MAP, WINDOWS_TO_IANA_MAP } from 'windows-iana'
import { HOUR_MS, MINUTE_MS, wallFromParts } from '../../domain/time/instant.ts'
import { findZone, offsetAt, type Zone } from '../../domain/time/zone.ts'

/** `GMT Standard Time`, or `(UTC+00:00) Dublin, Edinburgh, Lisbon, London`, as its default zone. */
export function findWindowsZone(text: string): Zone | undefined {
  const name = text.toLowerCase()
  return findByProgramName(name) ?? findByShownName(name)
}

/** The mapping contains names that the IANA database has since replaced. */
const RENAMED: Record<string, string> = {
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Etc/UTC': 'UTC',
  'Europe/Kiev': 'Europe/Kyiv',
}

/** Displayed names without a city of the IANA database, without their offset. */
const REGIONS: Record<string, string> = {
  alaska: 'Alaskan Standard Time',
  'aleutian islands': 'Aleutian Standard Time',
  arizona: 'US Mountain Standard Time',
  astana: 'Central Asia Standard Time',
  'atlantic time (canada)': 'Atlantic Standard Time',
  'baja california': 'Pacific Standard Time (Mexico)',
  'bougainville island': 'Bougainville Standard Time',
  brasilia: 'E. South America Standard Time',
  'cabo verde is.': 'Cape Verde Standard Time',
  'cape verde is.': 'Cape Verde Standard Time',
  'central america': 'Central America Standard Time',
  'central time (us & canada)': 'Central Standard Time',
  'chatham islands': 'Chatham Islands Standard Time',
  chetumal: 'Eastern Standard Time (Mexico)',
  'city of buenos aires': 'Argentina Standard Time',
  'coordinated universal time': 'UTC',
  'easter island': 'Easter Island Standard Time',
  'eastern time (us & canada)': 'Eastern Standard Time',
  ekaterinburg: 'Ekaterinburg Standard Time',
  greenland: 'Greenland Standard Time',
  haiti: 'Haiti Standard Time',
  hawaii: 'Hawaiian Standard Time',
  'indiana (east)': 'US Eastern Standard Time',
  'international date line west': 'Dateline Standard Time',
  'kiritimati island': 'Line Islands Standard Time',
  'lord howe island': 'Lord Howe Standard Time',
  'marquesas islands': 'Marquesas Standard Time',
  'mountain time (us & canada)': 'Mountain Standard Time',
  newfoundland: 'Newfoundland Standard Time',
  'norfolk island': 'Norfolk Standard Time',
  "nuku'alofa": 'Tonga Standard Time',
  'pacific time (us & canada)': 'Pacific Standard Time',
  'petropavlovsk-kamchatsky': 'Russia Time Zone 11',
  'port louis': 'Mauritius Standard Time',
  salvador: 'Bahia Standard Time',
  samoa: 'Samoa Standard Time',
  saskatchewan: 'Canada Central Standard Time',
  'solomon is.': 'Central Pacific Standard Time',
  'sri jayawardenepura': 'Sri Lanka Standard Time',
  'turks and caicos': 'Turks And Caicos Standard Time',
  'west central africa': 'W. Central Africa Standard Time',
  yukon: 'Yukon Standard Time',
}

/** Territory 001 is the world: the default zone of the name if no country is known. */
const programNames = new Map(
  WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001').map(({ windowsName, iana }) => [
    windowsName.toLowerCase(),
    iana[0]!,
  ]),
)

/** Programs also write the summer name, and Outlook appends a number to a name it has seen before. */
function findByProgramName(name: string): Zone | undefined {
  const plain = name.replace(/ \d{1,3}$/, '').replace(/ (?:daylight|summer) time/, ' standard time')
  const iana = programNames.get(name) ?? programNames.get(plain)
  return iana === undefined ? undefined : findZone(RENAMED[iana] ?? iana)
}

const SHOWN = /^\((?:utc|gmt)(?:([+-])(\d{1,2})[:.](\d{2}))?\) ?(.{1,120})$/

/** With an offset every part is tried and must have that offset; without one only a whole region name is accepted. */
function findByShownName(name: string): Zone | undefined {
  const shown = SHOWN.exec(name)
  if (!shown) return Object.hasOwn(REGIONS, name) ? findByProgramName(REGIONS[name]!.toLowerCase()) : undefined
  const size = Number(shown[2] ?? 0) * HOUR_MS + Number(shown[3] ?? 0) * MINUTE_MS
  const offset = shown[1] === '-' ? -size : size
  const rest = shown[4]!.trim()
  for (const part of [rest, ...rest.split(/[,:;/]/)]) {
    const zone = findByPart(part.trim())
    if (zone && hadOffset(zone, offset)) return zone
  }
  return undefined
}

function findByPart(part: string): Zone | undefined {
  if (Object.hasOwn(REGIONS, part)) return findByProgramName(REGIONS[part]!.toLowerCase())
  const iana = cityNames().get(part.replace(/ \(.*/, ''))
  const windowsName = iana && findWindows(iana)[0]
  return windowsName ? findByProgramName(windowsName.toLowerCase()) : undefined
}

let cities: Map<string, string> | undefined

/** `mexico city` → `America/Mexico_City`. Only names below a continent or an ocean are cities. */
function cityNames(): Map<string, string> {
  const isCity = /^(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//
  cities ??= new Map(
    IANA_ALIAS_MAP.flatMap(({ alias }) => alias)
      .filter((name) => isCity.test(name))
      .map((name) => [
        name
          .slice(name.lastIndexOf('/') + 1)
          .replaceAll('_', ' ')
          .toLowerCase(),
        name,
      ]),
  )
  return cities
}

/** In winter or summer of any year since 2000: a displayed name has the offset that its Windows version knew. */
function hadOffset(zone: Zone, offset: number): boolean {
  for (let year = 2000; year <= 2030; year++) {
    for (const month of [1, 7]) if (offsetAt(zone, wallFromParts(year, month, 1)) === offset) return true
  }
  return false
}
