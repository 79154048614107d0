// Values of fields for date and time, in the zone of the calendar and to the minute.
import { site } from '../site.ts'

const MINUTES = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: site.timezone })

/** The minute that a moment is in. */
export const localMinute = (at: string): string => MINUTES.format(new Date(at)).replace(' ', 'T')

/** A link may give the time in UTC. */
export const fieldValue = (moment: string | undefined): string =>
  moment?.endsWith('Z') ? localMinute(moment) : (moment ?? '')
