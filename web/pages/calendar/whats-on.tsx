// Quick choices above the calendar: links to what is on today, this weekend and in the next 7 days.
import type { JSX } from 'preact'
import { daysOfWhatsOn, WHATS_ON, type WhatsOn } from '../../../src/contract/calendar-link.ts'
import type { Day } from '../../../src/domain/time/instant.ts'
import { Link } from '../../app/router.tsx'
import * as words from '../../strings.ts'
import { formatDays } from '../../words/formats.ts'

const strings = words.calendar.whatsOn

interface WhatsOnProps {
  chosen: WhatsOn | undefined
  addressOf(choice: WhatsOn): string
}

export const WhatsOnLinks = ({ chosen, addressOf }: WhatsOnProps): JSX.Element => (
  <nav class="cal-whats-on" aria-label={strings.label}>
    <span aria-hidden="true">{strings.label}</span>
    {WHATS_ON.map((choice) => (
      <Link key={choice} to={addressOf(choice)} aria-current={choice === chosen ? 'true' : undefined}>
        {strings.names[choice]}
      </Link>
    ))}
  </nav>
)

/** Such as "This weekend: 18–19 July 2026". */
export const titleOfWhatsOn = (choice: WhatsOn, today: Day): string =>
  strings.title(strings.names[choice], formatDays(...daysOfWhatsOn(choice, today)))
