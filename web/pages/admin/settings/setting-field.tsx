// One setting: its field with the way back to the default, or its value and why it is fixed.
import type { JSX } from 'preact'
import { LANGUAGE_NAMES } from '../../../../src/domain/languages.ts'
import { WEEKDAY_NAMES } from '../../../../src/domain/time/weekdays.ts'
import type { Operations, Setting } from '../../../api/contract.ts'
import * as words from '../../../strings.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { ZoneField } from '../../../ui/zone-field.tsx'

const text = words.admin.settingsPage

export type SettingsByName = Readonly<Record<string, Setting>>
export type SettingsPatchBody = Omit<Operations['changeSettings']['body'], 'version'>
export type SaveSettings = (patch: SettingsPatchBody) => Promise<void>

/** What every section of the page needs. */
export interface SettingsPart {
  settings: SettingsByName
  save: SaveSettings
}

export const byName = (settings: readonly Setting[]): SettingsByName =>
  Object.fromEntries(settings.map((setting) => [setting.name, setting]))

export type FieldName = keyof typeof text.fields

/** Those with a fixed set of values; others are typed. */
const OPTIONS: Partial<Record<FieldName, readonly (readonly [string, string])[]>> = {
  week_start: [
    ['auto', text.weekStartAuto],
    ...WEEKDAY_NAMES.map((name, day) => [name, words.rule.days[day]!] as const),
  ],
  language: Object.entries(LANGUAGE_NAMES),
  default_visibility: Object.entries(text.visibilities),
  registration: Object.entries(text.registrations),
  notify_admins: Object.entries(text.notifications),
}

interface SettingFieldProps {
  setting: Setting
  value: string
  problem: string | undefined
  onValue(value: string): void
  onReset(): void
}

export function SettingField({ setting, value, problem, onValue, onReset }: SettingFieldProps): JSX.Element {
  const name = setting.name as FieldName
  const { label, hint } = text.fields[name]
  if (!setting.changeable) return <FixedSetting setting={setting} label={label} />
  const field = { label, hint, problem, value, onValue }
  const options = OPTIONS[name]
  return (
    <div class="setting">
      {name === 'timezone' ? (
        <ZoneField {...field} />
      ) : options ? (
        <SelectField {...field} options={options} />
      ) : (
        <TextField {...field} input={{ autoComplete: 'off', spellcheck: false }} />
      )}
      <ResetLine setting={setting} label={label} onReset={onReset} />
    </div>
  )
}

interface ResetLineProps {
  setting: Setting
  label: string
  onReset(): void
}

/** Only where the setting was changed. */
export const ResetLine = ({ setting, label, onReset }: ResetLineProps): JSX.Element | null =>
  setting.stored === null ? null : (
    <p class="reset">
      <span class="quiet">{text.defaultIs(shownAs(setting.name, setting.default))}</span>
      <button type="button" class="plain" aria-label={text.resetOf(label)} onClick={onReset}>
        {text.reset}
      </button>
    </p>
  )

/** Why it cannot be changed here, in the reader's language. */
export function reasonFor({ reason_code: code, reason, environment }: Setting): string {
  if (code === 'environment') return words.admin.service.reasons.environment(environment)
  return (code !== null && words.admin.service.reasons.others[code]) || (reason ?? '')
}

/** The operator has set it. */
export const FixedSetting = ({ setting, label }: { setting: Setting; label: string }): JSX.Element => (
  <dl class="fixed">
    <dt>{label}</dt>
    <dd>
      {shownAs(setting.name, setting.value) || <span class="quiet">{text.empty}</span>}
      <p class="hint">{reasonFor(setting)}</p>
      {setting.stored !== null && <p class="hint">{text.overruled(shownAs(setting.name, setting.stored))}</p>}
    </dd>
  </dl>
)

const shownAs = (name: string, value: string): string =>
  OPTIONS[name as FieldName]?.find(([option]) => option === value)?.[1] ?? value
