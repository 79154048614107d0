// App passwords for CalDAV devices: create, show once, list and delete, with setup guides.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { MadeAppPassword } from '../../api/contract.ts'
import { call, type SessionUser } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { problemOf, requireFilled } from '../../ui/explain.ts'
import { TextField } from '../../ui/field.tsx'
import { Form, useSubmission } from '../../ui/form.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { AccountFrame } from './account-frame.tsx'
import { DeleteButton } from './delete-button.tsx'
import { formatDateOnly, formatDateTime } from './format-time.ts'
import { Guide } from './guide.tsx'
import { OwnItem, OwnList, usedWords } from './own-list.tsx'
import { ShownOnce } from './secret-once.tsx'

export default function AppPasswordsPage(): JSX.Element {
  return <AccountFrame title={words.account.devicesTitle}>{(user) => <AppPasswords user={user} />}</AccountFrame>
}

function AppPasswords({ user }: { user: SessionUser }): JSX.Element {
  const loaded = useLoaded(async (signal) => (await call('listAppPasswords', { signal })).data, [])
  const [made, setMade] = useState<MadeAppPassword>()
  return (
    <>
      <p>{words.account.devicesLead}</p>
      {made ? (
        <ShownOnce
          key={made.id}
          title={words.account.deviceMade(made.name)}
          label={words.account.password}
          secret={made.password}
          onDone={() => setMade(undefined)}
        />
      ) : (
        <NewAppPassword
          onMade={(fresh) => {
            setMade(fresh)
            loaded.again()
          }}
        />
      )}
      <OwnList title={words.account.devicesYours} loaded={loaded} empty={words.account.none}>
        {({ id, name, created_at, last_used_at }) => (
          <OwnItem
            key={id}
            name={name}
            lines={[usedWords(last_used_at, formatDateTime), words.account.made(formatDateOnly(created_at))]}
          >
            <DeleteButton
              name={name}
              warning={words.account.deviceGoes(name)}
              onDelete={async () => {
                await call('deleteAppPassword', { path: { app_password_id: id } })
                loaded.again()
              }}
            />
          </OwnItem>
        )}
      </OwnList>
      <Guide email={user.email} />
    </>
  )
}

function NewAppPassword({ onMade }: { onMade(made: MadeAppPassword): void }): JSX.Element {
  const [name, setName] = useState('')
  const sending = useSubmission()
  const send = async () => {
    requireFilled({ name })
    onMade((await call('createAppPassword', { body: { name } })).data)
  }
  return (
    <Form
      sending={sending}
      onSend={send}
      button={words.account.makeDevice}
      refusals={{ too_many_credentials: words.account.noMore }}
    >
      <TextField
        label={words.account.deviceName}
        hint={words.account.deviceHint}
        value={name}
        onValue={setName}
        problem={problemOf(sending.error, 'name')}
        input={{ maxLength: 100, autoComplete: 'off' }}
      />
    </Form>
  )
}
