// Environment for mail tests: a database, a clock that can be set, accounts, a mail server and a mail worker.

import { openContext } from '../../src/boot.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import type { Context } from '../../src/context.ts'
import type { MailKind } from '../../src/domain/account/mail-kind.ts'
import { createMailWorker, type MailWorker } from '../../src/mail/deliver.ts'
import type { Transport } from '../../src/mail/send-outcome.ts'
import { createTransport } from '../../src/mail/transport.ts'
import { newId } from '../../src/secrets.ts'
import { insertAccount } from '../../src/storage/accounts/accounts.ts'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import { insertMail } from '../../src/storage/operations/outbox.ts'
import type { OutboxRow, UserRow } from '../../src/storage/tables.ts'
import { type MailServer, mailSettings, startMailServer } from '../support/http/mail-server.ts'
import { DEADLINE_MS } from '../support/measure/wait-for.ts'
import { type EmptyDatabase, type Engine, makeReadyPlace } from '../support/storage/engines.ts'

export const SECOND = 1_000
export const MINUTE = 60_000
export const HOUR = 3_600_000
export const DAY = 86_400_000

/** Short, so that a silent server does not make a test long. */
export const SILENCE_MS = 400

export interface Office {
  place: EmptyDatabase
  ctx: Context
  clock: { at: number }
  server: MailServer
  mailWorker: MailWorker
  /** All log lines, as one text. */
  log(): string
  addPerson(email: string, changes?: Partial<UserRow>): Promise<string>
  put(kind: MailKind, to: { userId: string } | { emailKey: string }): Promise<string>
  row(id: string): Promise<OutboxRow>
  rows(): Promise<OutboxRow[]>
  /** The mail worker of another node on the same database. */
  secondNode(transport?: (config: Config) => Transport): Promise<{ ctx: Context; mailWorker: MailWorker }>
}

export interface OfficeOptions {
  settings?: Record<string, string>
  /** Without one, mails become files. */
  hasServer?: boolean
}

export async function withMailServer(
  engine: Engine,
  story: (office: Office) => Promise<void>,
  { settings = {}, hasServer = true }: OfficeOptions = {},
): Promise<void> {
  const place = await makeReadyPlace(engine)
  const server = await startMailServer()
  const clock = { at: Date.parse('2026-07-10T12:00:00Z') }
  const config = loadConfig(
    {
      DAYBOOK_RATE_LIMITS: 'off',
      DAYBOOK_LOG_LEVEL: 'silent',
      DAYBOOK_PUBLIC_URL: 'https://calendar.example.org',
      ...place.settings,
      ...(hasServer ? mailSettings(server) : {}),
      ...settings,
    },
    place.folder,
  )
  const lines: string[] = []
  const closing: (() => Promise<void>)[] = []
  const openNode = async (transport: (config: Config) => Transport) => {
    const ctx = { ...(await openContext(config, { clock: () => clock.at })), log: collect(lines) }
    const mailWorker = createMailWorker(ctx, transport(config))
    closing.push(async () => {
      await mailWorker.stop()
      await ctx.storage.close()
    })
    return { ctx, mailWorker }
  }
  // Waits for a server that answers late only because the machine is busy.
  const usual = (of: Config): Transport => {
    const current = () => createTransport(of, { silenceMs: server.mode === 'silent' ? SILENCE_MS : DEADLINE_MS })
    return { send: (letter, stop) => current().send(letter, stop), verify: (stop) => current().verify(stop) }
  }
  try {
    const { ctx, mailWorker } = await openNode(usual)
    const rows = () => ctx.storage.reads.selectFrom('outbox').selectAll().orderBy('id').execute()
    await story({
      place,
      ctx,
      clock,
      server,
      mailWorker,
      rows,
      log: () => lines.join('\n'),
      addPerson: (email, changes) => addPerson(ctx, email, changes),
      async put(kind, to) {
        const id = newId()
        await inTransaction(ctx.storage, (db) => insertMail(db, { id, kind, to }, clock.at))
        return id
      },
      row: async (id) => (await rows()).find((row) => row.id === id)!,
      secondNode: (transport = usual) => openNode(transport),
    })
  } finally {
    for (const close of closing) await close()
    await server.stop()
    await place.remove()
  }
}

const collect = (lines: string[]): Context['log'] => {
  const note = (message: string, fields = {}) => void lines.push(JSON.stringify({ message, ...fields }))
  return { error: note, warn: note, info: note }
}

async function addPerson(ctx: Context, email: string, changes: Partial<UserRow> = {}): Promise<string> {
  const id = newId()
  const row: UserRow = {
    id,
    email,
    email_key: email.toLowerCase(),
    display_name: 'Somebody',
    name_key: 'somebody',
    password_hash: '-',
    was_asked_again: 0,
    request_count: 0,
    last_requested_at: null,
    role: 'writer',
    approval_state: 'approved',
    email_verified_at: ctx.clock(),
    request_message: null,
    created_at: ctx.clock(),
    decided_at: null,
    decided_by: null,
    last_login_at: null,
    language: null,
    version: 1,
    ...changes,
  }
  await inTransaction(ctx.storage, (db) => insertAccount(db, row))
  return id
}
