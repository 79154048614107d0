// Deflates the texts of earlier versions with a dictionary of lines that most objects have.
import { promisify } from 'node:util'
import { deflateRaw, inflateRawSync } from 'node:zlib'

/** The iCalendar object, and the text that a calendar program sent. */
export interface EventTexts {
  ical: string
  sent_ical: string | null
}

/**
 * A short object is mostly lines like these, which become references. Texts that were packed with it cannot be read
 * with another one, so it never changes; the most frequent lines come last, where references to them are shortest.
 */
const DICTIONARY = Buffer.from(
  [
    'BEGIN:VTIMEZONE\\r\\nTZID:Europe/London\\r\\nBEGIN:DAYLIGHT\\r\\nTZOFFSETFROM:+0000\\r\\nTZOFFSETTO:+0100\\r\\n',
    'TZNAME:BST\\r\\nDTSTART:19700329T010000\\r\\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\\r\\nEND:DAYLIGHT\\r\\n',
    'BEGIN:STANDARD\\r\\nTZNAME:GMT\\r\\nDTSTART:19701025T020000\\r\\nBYMONTH=10;BYDAY=-1SU\\r\\nEND:STANDARD\\r\\n',
    'END:VTIMEZONE\\r\\nBEGIN:VALARM\\r\\nACTION:DISPLAY\\r\\nTRIGGER:-PT15M\\r\\nEND:VALARM\\r\\nORGANIZER;CN=:mailto:',
    'ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:\\r\\nCATEGORIES:',
    '\\r\\nURL:https://www.\\r\\nEXDATE;TZID=Europe/London:\\r\\nRDATE;TZID=Europe/London:\\r\\nRECURRENCE-ID;TZID=',
    'DTSTART;VALUE=DATE:2026\\r\\nDTEND;VALUE=DATE:2026\\r\\nRRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=COUNT=\\r\\n',
    'RRULE:FREQ=MONTHLY;INTERVAL=2;BYSETPOS=\\r\\nSTATUS:CONFIRMED\\r\\nSTATUS:TENTATIVE\\r\\nSTATUS:CANCELLED\\r\\n',
    'CLASS:PUBLIC\\r\\nCLASS:PRIVATE\\r\\nTRANSP:OPAQUE\\r\\nTRANSP:TRANSPARENT\\r\\nDURATION:PT1H\\r\\n',
    'BEGIN:VCALENDAR\\r\\nVERSION:2.0\\r\\nPRODID:-//Daybook//Daybook//EN\\r\\nCALSCALE:GREGORIAN\\r\\nBEGIN:VEVENT\\r\\n',
    'UID:\\r\\nDTSTAMP:2026\\r\\nCREATED:2026\\r\\nLAST-MODIFIED:2026\\r\\nSEQUENCE:1\\r\\nSUMMARY:\\r\\nDESCRIPTION:',
    '\\r\\nLOCATION:\\r\\nDTSTART;TZID=Europe/London:20260\\r\\nDTEND;TZID=Europe/London:20260\\r\\n',
    'T100000\\r\\nT110000Z\\r\\nEND:VEVENT\\r\\nEND:VCALENDAR\\r\\n',
  ].join(''),
)

const deflate = promisify(deflateRaw)

/** The JSON of both texts, deflated (RFC 1951), in base64. In a thread, so that a long text blocks nothing. */
export async function packTexts({ ical, sent_ical: sent }: EventTexts): Promise<string> {
  const json = JSON.stringify(sent === null ? [ical] : [ical, sent])
  return (await deflate(json, { dictionary: DICTIONARY, level: 6 })).toString('base64')
}

export function unpackTexts(packed: string): EventTexts {
  const json = inflateRawSync(Buffer.from(packed, 'base64'), { dictionary: DICTIONARY }).toString()
  const [ical, sent = null] = JSON.parse(json) as [string, string?]
  return { ical, sent_ical: sent }
}
