// Idempotency keys of every POST, with the answers to repeat; keys are hashed from now on.
import { sql } from 'kysely'
import { isPostgres } from '../../dialect.ts'
import type { Migration } from '../../migrate.ts'

export const idempotentAnswers: Migration = {
  name: '022-idempotent-answers',
  async up(db) {
    for (const statement of statements(isPostgres(db))) await sql.raw(statement).execute(db)
  },
}

/** Rows of earlier versions have the key itself and no answer; they would expire within a day. */
function statements(onPostgres: boolean): string[] {
  const bytes = onPostgres ? 'text collate "C"' : 'text'
  return [
    'drop table idempotency_keys',
    `create table idempotency_keys (
      user_id ${bytes} not null, key ${bytes} not null, body_hash ${bytes} not null, event_id ${bytes},
      holder ${bytes}, held_until bigint, answer text, created_at bigint not null, primary key (user_id, key))`,
    'create index idempotency_keys_by_age on idempotency_keys (created_at)',
  ]
}
