// Asks whether to edit one date of a series, it and all later ones, or the whole series.
import type { JSX } from 'preact'
import type { Event } from '../../api/contract.ts'
import { lastCalendar } from '../../app/last-calendar-view.ts'
import { goBack, navigate } from '../../app/router.tsx'
import * as words from '../../strings.ts'
import { Page } from '../../ui/page.tsx'
import { ruleInWords } from '../../words/rules.ts'
import { momentInWords } from './form/date-words.ts'
import './editor.css'

const strings = words.editor

export function WhichDates({ event, at }: { event: Event; at: string }): JSX.Element {
  const choose = (scope: 'date' | 'following' | 'series') =>
    navigate(`/event/edit?${new URLSearchParams({ id: event.id, at, scope })}`, { isReplacing: true })
  const rule = event.rrule ? ruleInWords(event.rrule, event.timezone) : strings.extraDates
  return (
    <Page title={strings.whichTitle}>
      <p>
        <strong>{event.title}</strong>
      </p>
      <p>{strings.which}</p>
      <div class="cards">
        <button type="button" class="choice" onClick={() => choose('date')}>
          <span>
            <strong>{strings.oneDate}</strong>
            <span class="means">{strings.oneDateMeans(momentInWords(at))}</span>
          </span>
        </button>
        <button type="button" class="choice" onClick={() => choose('following')}>
          <span>
            <strong>{strings.followingDates}</strong>
            <span class="means">{strings.followingDatesMeans}</span>
          </span>
        </button>
        <button type="button" class="choice" onClick={() => choose('series')}>
          <span>
            <strong>{strings.allDates}</strong>
            <span class="means">{strings.allDatesMeans(rule)}</span>
          </span>
        </button>
      </div>
      <div class="actions">
        <button type="button" onClick={() => goBack(lastCalendar())}>
          {words.common.cancel}
        </button>
      </div>
    </Page>
  )
}
