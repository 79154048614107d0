// Mail server: address, encryption, login and sender, with a test mail to the own address.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { TestMail } from '../../../api/contract.ts'
import { call } from '../../../app/session.ts'
import * as words from '../../../strings.ts'
import { explain, problemOf, requireFilled } from '../../../ui/explain.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Form, useSubmission } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { type MailAddress, type MailEncryption, readMailAddress, usualPort, writeMailAddress } from './mail-address.ts'
import { FixedSetting, SettingField, type SettingsPart, type SettingsPatchBody } from './setting-field.tsx'

const text = words.admin.settingsPage
const mail = text.mailServer

export function MailSection({ settings, save }: SettingsPart): JSX.Element {
  const { smtp_url: server, smtp_tls: tls, mail_from: sender } = settings as Required<typeof settings>
  const known = readMailAddress(server!.stored ?? '', tls!.value === 'on')
  const [typed, setTyped] = useState<Partial<MailAddress>>({})
  const [password, setPassword] = useState('')
  const [from, setFrom] = useState<string>()
  const [ownPassword, setOwnPassword] = useState('')
  const sending = useSubmission()
  const address = { ...known, ...typed }
  const change = changeOf(known, address)
  const patch: SettingsPatchBody = {
    ...(server!.changeable && change),
    ...(password && { smtp_password: password }),
    ...(from !== undefined && from !== sender!.value && { mail_from: from }),
  }
  const saveAll = async (what: SettingsPatchBody) => {
    requireFilled({ current_password: ownPassword })
    await save({ ...what, current_password: ownPassword })
    setTyped({})
    setPassword('')
    setFrom(undefined)
    setOwnPassword('')
  }
  const isChanged = Object.keys(patch).length > 0
  const send = async () => (isChanged ? saveAll(patch) : toast(text.nothing))
  return (
    <section class="card choices">
      <h2>{mail.title}</h2>
      <p>{mail.lead}</p>
      <Form sending={sending} onSend={send} button={text.save} refusals={text.refusals}>
        {server!.changeable ? (
          <>
            <AddressFields
              address={address}
              problem={problemOf(sending.error, 'smtp_url', mail.problems)}
              encryptionProblem={problemOf(sending.error, 'smtp_tls')}
              onChange={(part) => setTyped({ ...typed, ...part })}
            />
            <PasswordField
              label={mail.password}
              value={password}
              onValue={setPassword}
              problem={problemOf(sending.error, 'smtp_password', mail.problems)}
              input={{ autoComplete: 'off', placeholder: server!.has_password && !isOther(change) ? mail.stored : '' }}
            />
            {server!.has_password && isOther(change) && !password && <p class="hint">{mail.passwordEnds}</p>}
            {server!.stored !== null && (
              <p class="reset">
                <button
                  type="button"
                  class="plain"
                  onClick={() => void sending.run(() => saveAll({ smtp_url: null, smtp_tls: null }))}
                >
                  {mail.remove}
                </button>
              </p>
            )}
          </>
        ) : (
          <FixedSetting setting={server!} label={mail.server} />
        )}
        <SettingField
          setting={sender!}
          value={from ?? sender!.value}
          problem={problemOf(sending.error, 'mail_from')}
          onValue={setFrom}
          onReset={() => void sending.run(() => saveAll({ mail_from: null }))}
        />
        {(server!.changeable || sender!.changeable) && (
          <PasswordField
            label={words.common.ownPassword}
            hint={mail.ownPasswordHint}
            value={ownPassword}
            onValue={setOwnPassword}
            problem={problemOf(sending.error, 'current_password', words.common.ownPasswordProblems)}
          />
        )}
      </Form>
      <TestMailButton isUnsaved={isChanged} hasServer={server!.value !== ''} />
    </section>
  )
}

/** What differs, as the API takes it. */
function changeOf(known: MailAddress, address: MailAddress): SettingsPatchBody {
  const [before, url] = [known, address].map(writeMailAddress)
  const [wasPlain, isPlain] = [known, address].map(({ encryption }) => encryption === 'none')
  return {
    ...(before !== url && { smtp_url: url || null }),
    ...(wasPlain !== isPlain && url && { smtp_tls: isPlain ? 'off' : null }),
  }
}

/** Whether the stored password ends with the change. */
const isOther = (change: SettingsPatchBody): boolean => Object.keys(change).length > 0

interface AddressFieldsProps {
  address: MailAddress
  problem: string | undefined
  encryptionProblem: string | undefined
  onChange(part: Partial<MailAddress>): void
}

function AddressFields({ address, problem, encryptionProblem, onChange }: AddressFieldsProps): JSX.Element {
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellcheck: false } as const
  return (
    <>
      <div class="server">
        <TextField
          label={mail.server}
          hint={mail.serverHint}
          problem={problem}
          value={address.host}
          onValue={(host) => onChange({ host })}
          input={plain}
        />
        <TextField
          label={mail.port}
          value={address.port}
          onValue={(port) => onChange({ port })}
          input={{ inputMode: 'numeric', placeholder: usualPort(address.encryption), maxLength: 5 }}
        />
      </div>
      <SelectField
        label={mail.encryption}
        problem={encryptionProblem}
        value={address.encryption}
        onValue={(encryption) => onChange({ encryption, port: '' })}
        options={Object.entries(mail.encryptions) as [MailEncryption, string][]}
      />
      <TextField
        label={mail.user}
        isOptional
        value={address.user}
        onValue={(user) => onChange({ user })}
        input={plain}
      />
    </>
  )
}

/** Uses the settings in force, so that unsaved fields are saved first. */
function TestMailButton({ isUnsaved, hasServer }: { isUnsaved: boolean; hasServer: boolean }): JSX.Element {
  const [result, setResult] = useState<TestMail>()
  const { isBusy, error, run } = useSubmission()
  const send = async () => {
    setResult(undefined)
    setResult((await call('sendTestMail')).data)
  }
  return (
    <div class="part">
      {result && (
        <Notice kind={result.sent ? 'good' : 'bad'}>
          {!result.sent
            ? mail.testFailed(words.admin.service.findings.mail_not_sent(result.values ?? {})?.[0] ?? result.message)
            : hasServer
              ? mail.tested(result.to)
              : mail.testedFile}
        </Notice>
      )}
      {!!error && <Notice kind="bad">{explain(error)}</Notice>}
      <button type="button" disabled={isUnsaved || isBusy} onClick={() => void run(send)}>
        {isBusy ? mail.testing : mail.test}
      </button>
      {isUnsaved && <p class="hint">{mail.saveFirst}</p>}
    </div>
  )
}
