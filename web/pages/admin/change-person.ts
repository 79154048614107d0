// A decision about a person: based on the version that was looked at, and told in words when it is refused.
import { ApiError } from '../../api/client.ts'
import type { User, UserChange } from '../../api/contract.ts'
import { call } from '../../app/session.ts'
import { refreshWaiting } from '../../app/waiting.tsx'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'

/** Why it was not done, and whether what is shown is out of date. */
export interface Refusal {
  text: string
  isOutdated: boolean
}

export const changePerson = (person: User, change: UserChange): Promise<Refusal | undefined> =>
  decide(person, () =>
    call('changeUser', { path: { user_id: person.id }, body: { ...change, version: person.version } }),
  )

export const deletePerson = (person: User): Promise<Refusal | undefined> =>
  decide(person, () => call('deleteUser', { path: { user_id: person.id } }))

export const endSessionsOf = (person: User): Promise<Refusal | undefined> =>
  decide(person, () => call('endUserSessions', { path: { user_id: person.id } }))

async function decide(person: User, act: () => Promise<unknown>): Promise<Refusal | undefined> {
  try {
    await act()
    void refreshWaiting()
    return undefined
  } catch (error) {
    const code = error instanceof ApiError ? error.code : ''
    if (code === 'version_mismatch' || code === 'invalid_state_transition')
      return { text: words.admin.changedMeanwhile(person.display_name), isOutdated: true }
    if (code === 'user_not_found') return { text: words.admin.goneMeanwhile(person.display_name), isOutdated: true }
    return { text: code === 'last_admin' ? words.admin.lastAdmin : explain(error), isOutdated: false }
  }
}
