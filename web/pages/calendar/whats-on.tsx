// Quick choices above the calendar: links to what is on today, this weekend and in the next 7 days.
import type { JSX } from 'preact'
import { WHATS_ON, type WhatsOn } from '../../../src/contract/calendar-link.ts'
import { Link } from '../../app/router.tsx'
import * as words from '../../strings.ts'

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
