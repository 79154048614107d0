// Form fields for the repetition, with a description in words and a preview of its dates.
import type { JSX } from 'preact'
import { weekStartIn } from '../../../site.ts'
import * as words from '../../../strings.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { languageInUse } from '../../../words/load.ts'
import { ruleInWords } from '../../../words/rules.ts'
import { DatePreview } from './date-preview.tsx'
import { ExtraDates } from './extra-dates.tsx'
import type { Before } from './next-dates.ts'
import {
  type DayChoice,
  dayChoices,
  FREQUENCIES,
  findInvalidField,
  monthPlaceOf,
  type OfferedFrequency,
  type Repeat,
  ruleOf,
} from './repeat.ts'
import type { FieldsProps } from './when-fields.tsx'

const strings = words.editor

interface RepeatFieldsProps extends FieldsProps {
  before: Before
  /** True where one date and all later ones are edited: extra dates are those of the series. */
  isFollowing: boolean
}

export function RepeatFields({ values, onChange, problem, before, isFollowing }: RepeatFieldsProps): JSX.Element {
  const { repeat, startDate } = values
  const change = (some: Partial<Repeat>) => onChange({ ...values, repeat: { ...repeat, ...some } })
  const kinds = (['none', ...FREQUENCIES, 'custom'] as const).map((kind) => [kind, strings.repeatKinds[kind]] as const)
  const rule = ruleOf(repeat, startDate)
  const open = findInvalidField(repeat)
  const wrong = problem('rrule')
  return (
    <fieldset>
      <legend>{strings.repeat}</legend>
      <SelectField
        label={strings.repeats}
        value={repeat.kind}
        options={kinds}
        problem={repeat.kind === 'custom' || open ? undefined : wrong}
        onValue={(kind) => change(kind === 'custom' ? { kind, text: rule ?? repeat.text } : { kind })}
      />
      {repeat.kind === 'custom' && (
        <TextField
          label={strings.ruleText}
          hint={strings.ruleHint}
          value={repeat.text}
          problem={wrong}
          onValue={(text) => change({ text })}
          input={{ spellcheck: false, autocomplete: 'off', class: 'rule-text' }}
        />
      )}
      {repeat.kind !== 'none' && repeat.kind !== 'custom' && (
        <Steps
          repeat={repeat}
          kind={repeat.kind}
          startDate={startDate}
          change={change}
          problem={(step) => (wrong && step === open ? strings.openSteps[step] : undefined)}
        />
      )}
      {rule !== null && !open && (
        <p class="in-words" aria-live="polite">
          {inWords(rule, values.timezone)}
        </p>
      )}
      {!isFollowing && <ExtraDates values={values} onChange={onChange} problem={problem} />}
      {(rule !== null || values.rdates.length > 0) && <DatePreview values={values} before={before} />}
    </fieldset>
  )
}

function inWords(rule: string, zone: string): string {
  const text = ruleInWords(rule, zone)
  return text === words.rule.custom ? strings.inCustomWords : strings.inWords(text)
}

interface StepProps {
  repeat: Repeat
  kind: OfferedFrequency
  startDate: string
  change(some: Partial<Repeat>): void
  problem(step: 'interval' | 'until' | 'count'): string | undefined
}

function Steps({ repeat, kind, startDate, change, problem }: StepProps): JSX.Element {
  return (
    <>
      <TextField
        label={strings.intervalOf(strings.intervalUnits[kind])}
        value={repeat.interval}
        onValue={(interval) => change({ interval })}
        problem={problem('interval')}
        input={{ type: 'number', min: 1, max: 1000, class: 'short' }}
      />
      {kind === 'WEEKLY' && <Weekdays repeat={repeat} change={change} />}
      {(kind === 'MONTHLY' || kind === 'YEARLY') && (
        <DayOfMonth repeat={repeat} kind={kind} startDate={startDate} change={change} />
      )}
      <Ends repeat={repeat} startDate={startDate} change={change} problem={problem} />
    </>
  )
}

function Weekdays({ repeat, change }: Pick<StepProps, 'repeat' | 'change'>): JSX.Element {
  const week = [0, 1, 2, 3, 4, 5, 6].map((day) => (day + weekStartIn(languageInUse())) % 7)
  const toggle = (day: number, isOn: boolean) =>
    change({
      weekdays: [...repeat.weekdays.filter((one) => one !== day), ...(isOn ? [day] : [])].sort((a, b) => a - b),
    })
  return (
    <fieldset class="weekdays">
      <legend>{strings.onDays}</legend>
      <div class="week">
        {week.map((day) => (
          <label key={day}>
            <input
              type="checkbox"
              aria-label={words.rule.days[day]}
              checked={repeat.weekdays.includes(day)}
              onChange={(e) => toggle(day, e.currentTarget.checked)}
            />
            <span aria-hidden="true">{words.rule.shortDays[day]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function DayOfMonth({ repeat, kind, startDate, change }: Omit<StepProps, 'problem'>): JSX.Element {
  const options = dayChoices(startDate).map((choice) => [choice, dayInWords(choice, kind, startDate)] as const)
  const isRare = repeat.on === 'day' && monthPlaceOf(startDate).day > 28
  return (
    <SelectField
      label={strings.onWhich}
      value={repeat.on}
      options={options}
      onValue={(on) => change({ on })}
      hint={kind === 'MONTHLY' && isRare ? strings.shortMonths : undefined}
    />
  )
}

function dayInWords(choice: DayChoice, kind: OfferedFrequency, startDate: string): string {
  const { day, month, weekday, ordinal } = monthPlaceOf(startDate)
  if (choice === 'last_day') return strings.onLastDay
  if (choice === 'day')
    return kind === 'YEARLY' ? strings.onDate(words.rule.date(day, month)) : strings.onDay(words.rule.monthDay(day))
  const place = words.rule.place(choice === 'weekday' ? ordinal : -1, weekday)
  return strings.onPlace(kind === 'YEARLY' ? words.rule.of(place, month) : place)
}

function Ends({ repeat, startDate, change, problem }: Omit<StepProps, 'kind'>): JSX.Element {
  const kinds = (['never', 'until', 'count'] as const).map((kind) => [kind, strings.endKinds[kind]] as const)
  return (
    <div class="moments">
      <SelectField label={strings.ends} value={repeat.ends} options={kinds} onValue={(ends) => change({ ends })} />
      {repeat.ends === 'until' && (
        <TextField
          label={strings.untilDate}
          value={repeat.until}
          onValue={(until) => change({ until })}
          problem={problem('until')}
          input={{ type: 'date', min: startDate, required: true }}
        />
      )}
      {repeat.ends === 'count' && (
        <TextField
          label={strings.count}
          value={repeat.count}
          onValue={(count) => change({ count })}
          problem={problem('count')}
          input={{ type: 'number', min: 1, max: 10_000 }}
        />
      )}
    </div>
  )
}
