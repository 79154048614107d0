// Feed links for programs that cannot sign in: create, show once, rename and delete.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { FeedLink, MadeFeedLink } from '../../api/contract.ts'
import { call } from '../../app/session.ts'
import { CategoryChoice } from '../../calendar/categories/category-choice.tsx'
import * as words from '../../strings.ts'
import { problemOf, requireFilled } from '../../ui/explain.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Form, useSubmission } from '../../ui/form.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { AccountFrame } from './account-frame.tsx'
import { DeleteButton } from './delete-button.tsx'
import { formatDateOnly, formatDateTime } from './format-time.ts'
import { OwnItem, OwnList, usedWords } from './own-list.tsx'
import { RenameButton } from './rename-button.tsx'
import { ShownOnce } from './secret-once.tsx'

export default function FeedsPage(): JSX.Element {
  return <AccountFrame title={words.account.feedsTitle}>{() => <Feeds />}</AccountFrame>
}

function Feeds(): JSX.Element {
  const loaded = useLoaded(async (signal) => (await call('listFeedLinks', { signal })).data, [])
  const [made, setMade] = useState<MadeFeedLink>()
  return (
    <>
      <p>{words.account.feedsLead}</p>
      {made ? (
        <ShownOnce
          key={made.id}
          title={words.account.feedMade(made.name)}
          label={words.account.feedAddress}
          secret={made.url}
          onDone={() => setMade(undefined)}
        />
      ) : (
        <NewFeed
          onMade={(fresh) => {
            setMade(fresh)
            loaded.again()
          }}
        />
      )}
      <OwnList title={words.account.feedsYours} loaded={loaded} empty={words.account.none}>
        {(link) => <Feed key={link.id} link={link} onChange={loaded.again} />}
      </OwnList>
    </>
  )
}

function Feed({ link, onChange }: { link: FeedLink; onChange(): void }): JSX.Element {
  const { id, name, detail, categories, created_at, last_used_at } = link
  const path = { feed_id: id }
  const lines = [
    words.account.details[detail],
    ...(categories.length > 0 ? [words.account.onlyCategory(categories.join(', '))] : []),
    usedWords(last_used_at, formatDateTime),
    words.account.made(formatDateOnly(created_at)),
  ]
  return (
    <OwnItem name={name} lines={lines}>
      <RenameButton
        name={name}
        onRename={async (next) => {
          await call('renameFeedLink', { path, body: { name: next } })
          onChange()
        }}
      />
      <DeleteButton
        name={name}
        warning={words.account.feedGoes(name)}
        onDelete={async () => {
          await call('deleteFeedLink', { path })
          onChange()
        }}
      />
    </OwnItem>
  )
}

type FeedDetail = FeedLink['detail']

function NewFeed({ onMade }: { onMade(made: MadeFeedLink): void }): JSX.Element {
  const [name, setName] = useState('')
  const [detail, setDetail] = useState<FeedDetail>('full')
  const [categories, setCategories] = useState<string[]>([])
  const known = useLoaded(async (signal) => (await call('listCategories', { signal })).data, [])
  const sending = useSubmission()
  const send = async () => {
    requireFilled({ name })
    onMade((await call('createFeedLink', { body: { name, detail, categories } })).data)
  }
  return (
    <Form
      sending={sending}
      onSend={send}
      button={words.account.makeFeed}
      refusals={{ too_many_credentials: words.account.noMore }}
    >
      <TextField
        label={words.account.name}
        hint={words.account.feedHint}
        value={name}
        onValue={setName}
        problem={problemOf(sending.error, 'name')}
        input={{ maxLength: 100, autoComplete: 'off' }}
      />
      <SelectField
        label={words.account.detail}
        value={detail}
        onValue={setDetail}
        options={Object.entries(words.account.detailChoices) as [FeedDetail, string][]}
        hint={words.account.detailHints[detail]}
      />
      <CategoryChoice names={(known.data ?? []).map((one) => one.name)} chosen={categories} onChoose={setCategories} />
    </Form>
  )
}
