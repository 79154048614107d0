// Who changes an event and by what means, for its history.
import type { Context } from '../../context.ts'
import { type Actor, actorIdOf } from '../../domain/privacy/viewer.ts'
import type { ChangeMeans } from '../../storage/tables.ts'

export interface ChangeSource {
  by: string | null
  means: ChangeMeans
  /** Whether the event as it was becomes an earlier version. */
  keepsBefore: boolean
}

export function sourceOf(
  { config }: Context,
  author: Actor,
  through: ChangeMeans['updated_through'] = null,
): ChangeSource {
  const isOperator = author.kind === 'operator'
  // A session has no name, so its id would say nothing.
  const isNamed = !isOperator && author.proof !== 'session'
  return {
    by: actorIdOf(author),
    means: {
      updated_with: isOperator ? 'operator' : author.proof,
      updated_credential_id: (isNamed && author.credentialId) || null,
      updated_through: through,
    },
    keepsBefore: config.historyDays > 0,
  }
}

/** For a change that the service makes by itself. */
export const serviceSource = ({ config }: Context): ChangeSource => ({
  by: null,
  means: { updated_with: 'service', updated_credential_id: null, updated_through: null },
  keepsBefore: config.historyDays > 0,
})
