// First-run form: administrator account, and the calendar’s name, time zone and first weekday.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { WEEKDAY_NAMES, weekStartName } from '../../../src/domain/time/weekdays.ts'
import type { Operations } from '../../api/contract.ts'
import { call, signIn } from '../../app/session.ts'
import { pathUnder, site } from '../../site.ts'
import * as words from '../../strings.ts'
import { problemOf } from '../../ui/explain.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Form, useSubmission } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { newPasswordProblem, PasswordField } from '../../ui/password-field.tsx'
import { ZoneField } from '../../ui/zone-field.tsx'

const text = words.setup

type SetupRequestBody = Operations['setUp']['body']
type Chosen = Required<Pick<SetupRequestBody, 'site_name' | 'timezone' | 'week_start'>>

export function SetupForm({ code }: { code: string }): JSX.Element {
  const [values, setValues] = useState(first)
  const sending = useSubmission()
  const { error } = sending
  const set = (change: Partial<typeof values>) => setValues({ ...values, ...change })
  const send = async () => {
    const { display_name: name, ...rest } = values
    const { data } = await call('setUp', { body: { code, ...rest, ...(name.trim() && { display_name: name }) } })
    await signIn(values.email, values.password, false)
    goOn(data.site, values)
  }
  return (
    <Page title={text.title}>
      <p>{text.lead}</p>
      <Form
        sending={sending}
        onSend={send}
        button={text.submit}
        refusals={{ token_invalid_or_expired: text.codeWrong }}
      >
        <fieldset>
          <legend>{text.you}</legend>
          <TextField
            label={words.account.email}
            hint={text.emailHint}
            problem={problemOf(error, 'email')}
            value={values.email}
            onValue={(email) => set({ email })}
            input={{ type: 'email', autoComplete: 'username', required: true, maxLength: 254 }}
          />
          <TextField
            label={text.name}
            isOptional
            problem={problemOf(error, 'display_name')}
            value={values.display_name}
            onValue={(name) => set({ display_name: name })}
            input={{ autoComplete: 'name', maxLength: 100 }}
          />
          <PasswordField
            label={words.account.password}
            isNew
            value={values.password}
            onValue={(password) => set({ password })}
            problem={newPasswordProblem(error)}
          />
        </fieldset>
        <fieldset>
          <legend>{text.calendar}</legend>
          <TextField
            label={text.siteName}
            problem={problemOf(error, 'site_name')}
            value={values.site_name}
            onValue={(name) => set({ site_name: name })}
            input={{ maxLength: 100, required: true }}
          />
          <ZoneField
            label={text.zone}
            hint={text.zoneHint}
            problem={problemOf(error, 'timezone')}
            value={values.timezone}
            onValue={(timezone) => set({ timezone: timezone.trim() })}
          />
          <SelectField
            label={text.weekStart}
            value={values.week_start}
            onValue={(day) => set({ week_start: day })}
            options={[
              ['auto', text.weekStartAuto] as const,
              ...WEEKDAY_NAMES.map((name, i) => [name, words.rule.days[i]!] as const),
            ]}
          />
        </fieldset>
      </Form>
    </Page>
  )
}

/** The browser’s time zone is a better default than the server’s. */
const first = () => ({
  email: '',
  display_name: '',
  password: '',
  site_name: site.name,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || site.timezone,
  week_start: weekStartName(site.week_start, site.is_week_start_by_language),
})

/** Reloads, since the page was rendered with the old site name. The fragment lists what the operator has fixed. */
function goOn(inForce: Chosen, chosen: Chosen): void {
  const before: Chosen = { ...first(), timezone: site.timezone }
  const names = ['site_name', 'timezone', 'week_start'] as const
  const kept = names.filter((name) => inForce[name] === before[name] && inForce[name] !== chosen[name])
  history.replaceState(null, '', `${pathUnder('/setup')}#ready=${kept.join(',')}`)
  location.reload()
}
