// The zone of the displayed times: a choice between the calendar’s and the reader’s where these differ.
import type { JSX } from 'preact'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { useStore } from '../../ui/store.ts'
import { isOwnZone, ownZone, showOwnZone } from './own-zone.ts'

export function ZoneChoice(): JSX.Element {
  const isOwn = useStore(isOwnZone)
  if (ownZone === site.timezone) return <p class="cal-zone alone">{words.calendar.zone(site.timezone)}</p>
  return (
    <label class="cal-zone">
      <span>{words.calendar.timesIn}</span>
      <select value={isOwn ? ownZone : site.timezone} onChange={(e) => showOwnZone(e.currentTarget.value === ownZone)}>
        <option value={site.timezone}>{words.calendar.zoneOfCalendar(site.timezone)}</option>
        <option value={ownZone}>{words.calendar.zoneOfReader(ownZone)}</option>
      </select>
    </label>
  )
}
