// API tokens: create with scopes and an expiry, show once, list and delete.

import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { scopesOf } from '../../../src/domain/privacy/rights.ts'
import type { MadeToken, Token } from '../../api/contract.ts'
import { call, type SessionUser } from '../../app/session.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { problemOf, requireFilled } from '../../ui/explain.ts'
import { Checkbox, SelectField, TextField } from '../../ui/field.tsx'
import { Form, useSubmission } from '../../ui/form.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { AccountFrame } from './account-frame.tsx'
import { DeleteButton } from './delete-button.tsx'
import { formatDateOnly, formatDateTime } from './format-time.ts'
import { OwnItem, OwnList, usedWords } from './own-list.tsx'
import { ShownOnce } from './secret-once.tsx'

type OfferedScope = Token['scopes'][number]
type ExpiryDays = keyof typeof words.account.expiries

export default function TokensPage(): JSX.Element {
  return <AccountFrame title={words.account.tokensTitle}>{(user) => <Tokens user={user} />}</AccountFrame>
}

function Tokens({ user }: { user: SessionUser }): JSX.Element {
  const loaded = useLoaded(async (signal) => (await call('listTokens', { signal })).data, [])
  const [made, setMade] = useState<MadeToken>()
  return (
    <>
      <p>
        {words.account.tokensLead} <a href={`${site.api}/docs`}>{words.account.apiDocs}</a>
      </p>
      {made ? (
        <ShownOnce
          key={made.id}
          title={words.account.tokenMade(made.name)}
          label={words.account.tokenLabel}
          secret={made.token}
          onDone={() => setMade(undefined)}
        />
      ) : (
        <NewToken
          offered={scopesOf(user.role)}
          onMade={(fresh) => {
            setMade(fresh)
            loaded.again()
          }}
        />
      )}
      <OwnList title={words.account.tokensYours} loaded={loaded} empty={words.account.none}>
        {(token) => (
          <OwnItem key={token.id} name={token.name} lines={linesOf(token)}>
            <DeleteButton
              name={token.name}
              warning={words.account.tokenGoes(token.name)}
              onDelete={async () => {
                await call('deleteToken', { path: { token_id: token.id } })
                loaded.again()
              }}
            />
          </OwnItem>
        )}
      </OwnList>
    </>
  )
}

function linesOf({ scopes, last_four, last_used_at, expires_at }: Token): string[] {
  const isOver = Date.parse(expires_at) <= Date.now()
  const until = isOver
    ? words.account.expired(formatDateOnly(expires_at))
    : words.account.expires(formatDateOnly(expires_at))
  return [
    ...scopes.map((scope) => words.account.scopes[scope]),
    words.account.endsWith(last_four),
    until,
    usedWords(last_used_at, formatDateTime),
  ]
}

interface NewTokenProps {
  offered: readonly OfferedScope[]
  onMade(made: MadeToken): void
}

function NewToken({ offered, onMade }: NewTokenProps): JSX.Element {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly OfferedScope[]>(['events:read'])
  const [days, setDays] = useState<ExpiryDays>('365')
  const sending = useSubmission()
  const send = async () => {
    requireFilled({ name, scopes: scopes.join(' ') })
    onMade((await call('createToken', { body: { name, scopes: [...scopes], expires_in_days: Number(days) } })).data)
  }
  const problem = problemOf(sending.error, 'scopes', { required: words.account.scopesNeeded })
  return (
    <Form
      sending={sending}
      onSend={send}
      button={words.account.makeToken}
      refusals={{ too_many_credentials: words.account.noMore }}
    >
      <TextField
        label={words.account.name}
        hint={words.account.tokenHint}
        value={name}
        onValue={setName}
        problem={problemOf(sending.error, 'name')}
        input={{ maxLength: 100, autoComplete: 'off' }}
      />
      <fieldset>
        <legend>{words.account.scopesLabel}</legend>
        {offered.map((scope) => (
          <Checkbox
            key={scope}
            label={words.account.scopes[scope]}
            isOn={scopes.includes(scope)}
            onChange={(isOn) => setScopes(offered.filter((one) => (one === scope ? isOn : scopes.includes(one))))}
          />
        ))}
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
      </fieldset>
      <SelectField
        label={words.account.expiry}
        value={days}
        onValue={setDays}
        options={Object.entries(words.account.expiries) as [ExpiryDays, string][]}
      />
    </Form>
  )
}
