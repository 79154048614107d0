// What the trash notes of a deletion: who did it, and with which credential.
import type { Context } from '../../context.ts'
import { type Actor, actorIdOf } from '../../domain/privacy/viewer.ts'
import type { Instant } from '../../domain/time/instant.ts'
import type { EventDeletion } from '../../storage/history/trash.ts'

/** Undefined where deleted events are not kept. */
export function deletionBy({ config }: Context, author: Actor, at: Instant): EventDeletion | undefined {
  if (config.trashDays === 0) return undefined
  const by = actorIdOf(author)
  if (author.kind === 'operator') return { at, by, with: 'operator', credentialId: null }
  return { at, by, with: author.proof, credentialId: author.credentialId ?? null }
}
