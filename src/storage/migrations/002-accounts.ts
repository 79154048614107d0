// What accounts need: sessions, tokens, app passwords, mail to send, shared limits, traces and the audit trail.
import { sql } from 'kysely'
import { foldText } from '../../domain/calendar/words.ts'
import { isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'

export const accounts: Migration = {
  name: '002-accounts',
  async up(db) {
    for (const statement of statements(isPostgres(db))) await sql.raw(statement).execute(db)
    for (const { id, display_name } of await db.selectFrom('users').select(['id', 'display_name']).execute())
      await db
        .updateTable('users')
        .set({ name_key: foldText(display_name) })
        .where('id', '=', id)
        .execute()
  },
}

function statements(onPostgres: boolean): string[] {
  const id = onPostgres ? 'text collate "C"' : 'text'
  const sequence = onPostgres ? 'bigint generated always as identity primary key' : 'integer primary key autoincrement'
  const owner = `user_id ${id} not null references users (id) on delete cascade`
  return [
    `alter table users add column name_key text not null default ''`,
    'alter table users add column was_asked_again smallint not null default 0',
    'create index users_by_state on users (approval_state, created_at)',
    `create table sessions (
      id ${id} primary key, hash text not null unique, ${owner}, is_remembered smallint not null,
      created_at bigint not null, last_seen_at bigint not null, client_net text not null, user_agent text not null)`,
    'create index sessions_by_user on sessions (user_id)',
    `create table tokens (
      hash text primary key, purpose text not null, ${owner}, email_key text not null, created_at bigint not null,
      expires_at bigint not null, used_at bigint)`,
    'create index tokens_by_user on tokens (user_id, purpose)',
    `create table app_passwords (
      id ${id} primary key, hash text not null unique, ${owner}, name text not null, created_at bigint not null,
      last_used_at bigint)`,
    'create index app_passwords_by_user on app_passwords (user_id)',
    `create table api_tokens (
      id ${id} primary key, hash text not null unique, ${owner}, name text not null, last_four text not null,
      scopes text not null, created_at bigint not null, expires_at bigint not null, last_used_at bigint)`,
    'create index api_tokens_by_user on api_tokens (user_id)',
    `create table outbox (
      id ${id} primary key, kind text not null, user_id ${id} references users (id) on delete cascade, email_key text,
      status text not null, attempts integer not null, next_at bigint not null, claimed_by text,
      claimed_until bigint not null, problem text, created_at bigint not null, done_at bigint)`,
    `create index outbox_due on outbox (next_at) where status = 'waiting'`,
    'create index outbox_by_user on outbox (user_id, kind)',
    'create index outbox_by_age on outbox (done_at)',
    `create table rate_limits (
      name text primary key, started_at bigint not null, hits integer not null, hits_before integer not null,
      expires_at bigint not null)`,
    'create index rate_limits_by_age on rate_limits (expires_at)',
    `create table traces (seq ${sequence}, at bigint not null, entry text not null)`,
    'create index traces_by_age on traces (at)',
    `create table audit (
      seq ${sequence}, at bigint not null, request_id text, actor_id text, action text not null, subject_id text,
      detail text not null)`,
    'create index audit_by_action on audit (action, at)',
    'create table spent_proofs (proof text primary key, expires_at bigint not null)',
  ]
}
