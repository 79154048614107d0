// A section of settings that are saved together.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as words from '../../../strings.ts'
import { problemOf } from '../../../ui/explain.ts'
import { Form, useSubmission } from '../../../ui/form.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { type FieldName, SettingField, type SettingsPart, type SettingsPatchBody } from './setting-field.tsx'

const text = words.admin.settingsPage

interface SettingsSectionProps extends SettingsPart {
  title: string
  note?: string | undefined
  names: readonly FieldName[]
}

export function SettingsSection({ settings, save, title, note, names }: SettingsSectionProps): JSX.Element {
  const [typed, setTyped] = useState<Partial<Record<FieldName, string>>>({})
  const sending = useSubmission()
  const changed = names.filter((name) => typed[name] !== undefined && typed[name] !== settings[name]!.value)
  const send = async () => {
    if (changed.length === 0) return toast(text.nothing)
    await save(Object.fromEntries(changed.map((name) => [name, typed[name]!])) as SettingsPatchBody)
    setTyped({})
  }
  const reset = (name: FieldName) => async () => {
    await save({ [name]: null })
    setTyped(({ [name]: _, ...others }) => others)
  }
  const isFixed = names.every((name) => !settings[name]!.changeable)
  const fields = names.map((name) => (
    <SettingField
      key={name}
      setting={settings[name]!}
      value={typed[name] ?? settings[name]!.value}
      problem={problemOf(sending.error, name, text.problems[name])}
      onValue={(value) => setTyped({ ...typed, [name]: value })}
      onReset={() => void sending.run(reset(name))}
    />
  ))
  return (
    <section class="card choices">
      <h2>{title}</h2>
      {note && <p>{note}</p>}
      {isFixed ? (
        fields
      ) : (
        <Form sending={sending} onSend={send} button={text.save} refusals={text.refusals}>
          {fields}
        </Form>
      )}
    </section>
  )
}
