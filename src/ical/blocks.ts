// Stored calendar objects as text: the VEVENTs cut out exactly as they are kept, and the zones they name.

/** Every VEVENT of an object, one after the other. No other line can begin like these: a folded one begins with a space. */
export const eventBlocks = (ical: string): string =>
  (ical.match(/^BEGIN:VEVENT\r\n[\s\S]*?^END:VEVENT\r\n/gm) ?? []).join('')

/** The TZIDs on the lines of a text. */
export function zoneNamesIn(text: string): string[] {
  if (!/TZID/i.test(text) && !/\r\n[ \t]/.test(text)) return []
  const unfolded = text.replace(/\r\n[ \t]/g, '')
  return [...unfolded.matchAll(/^[A-Z-]+(?:;[^:\r\n]*)?;TZID="?([^":;,\r\n]+)/gim)].map(([, name]) => name!)
}
