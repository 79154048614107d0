// Texts of all mails: only the configured name, links, times and numbers, no user input.

import type { Language } from '../domain/languages.ts'
import { BULK_WINDOW_MS } from '../domain/limits/bulk-changes.ts'
import { dayOf, type Instant } from '../domain/time/instant.ts'
import { formatLocal } from '../domain/time/text.ts'
import { toWall, type Zone } from '../domain/time/zone.ts'
import { dateFormat, formatLongDay } from '../words/format-times.ts'
import { wordsFor } from '../words/words.ts'
import { type Message, type Paragraph, renderMessage } from './layout.ts'
import type { Links } from './links.ts'
import { type MailWords, mailWordsFor } from './words/words.ts'

export interface MailSite {
  name: string
  links: Links
  /** The calendar's own: accounts have none. */
  zone: Zone
}

/** A secret for a link, and its expiry. */
export interface LinkToken {
  token: string
  goodUntil: Instant
}

/** The data of a mail, by its kind. */
export type MailContent =
  | { kind: 'verification'; key: LinkToken }
  /** With a key if the address was never verified. */
  | { kind: 'already_registered'; key: LinkToken | undefined }
  /** The key sets a new password, and verifies the address if needed. */
  | { kind: 'reset'; key: LinkToken; isVerified: boolean }
  | { kind: 'set_password'; key: LinkToken; isApproved: boolean }
  | { kind: 'password_changed'; changedAt: Instant }
  | { kind: 'approved'; isVerified: boolean }
  | { kind: 'rejected' }
  | { kind: 'suspended' }
  | { kind: 'access_requested'; waiting: number }
  | { kind: 'backup_failed'; problem: string }
  | { kind: 'bulk_changes'; incident: BulkIncident; limit: number; keeps: KeptPast }
  | { kind: 'test' }

/** Which credential changed very many events, and since when. */
export interface BulkIncident {
  user_id: string
  changed_with: 'session' | 'password' | 'app_password' | 'token'
  credential_id: string | null
  began_at: Instant
}

/** Whether deleted events and earlier versions are kept. */
export interface KeptPast {
  trash: boolean
  history: boolean
}

/** What the paragraphs of a mail are made of. */
interface MailText {
  name: string
  links: Links
  zone: Zone
  language: Language
  words: MailWords
}

export function writeMessage({ name, links, zone }: MailSite, news: MailContent, language: Language): Message {
  const words = mailWordsFor(language)
  const text: MailText = { name, links, zone, language, words }
  return renderMessage(
    words.subjects[news.kind](name),
    [words.hello, ...bodyOf(text, news), name, { link: links.home }],
    language,
  )
}

function bodyOf(text: MailText, news: MailContent): Paragraph[] {
  const { name, words } = text
  switch (news.kind) {
    case 'verification':
      return verification(text, news.key)
    case 'already_registered':
      return news.key ? registeredAgain(text, news.key) : alreadyRegistered(text)
    case 'reset':
      return news.isVerified ? reset(text, news.key) : resetUnverified(text, news.key)
    case 'set_password':
      return setPassword(text, news.key, news.isApproved)
    case 'password_changed':
      return passwordChanged(text, news.changedAt)
    case 'approved':
      return approved(text, news.isVerified)
    case 'rejected':
      return [words.rejected(name), words.mistake]
    case 'suspended':
      return [words.suspended(name), words.mistake]
    case 'access_requested':
      return accessRequested(text, news.waiting)
    case 'backup_failed':
      return [words.backupFailed.failed(name, causeOf(news.problem, words)), words.backupFailed.again]
    case 'bulk_changes':
      return bulkChanges(text, news)
    case 'test':
      return [words.test(name)]
  }
}

function bulkChanges(
  text: MailText,
  { incident, limit, keeps }: Extract<MailContent, { kind: 'bulk_changes' }>,
): Paragraph[] {
  const { name, links } = text
  const words = text.words.bulkChanges
  return [
    words.happened(name, limit, words.means[incident.changed_with], formatMoment(incident.began_at, text)),
    words.intended,
    words.stop,
    { link: links.people },
    ...bringBack(text, incident, keeps),
  ]
}

/** A rewind needs both; the trash is of one credential, a rewind of the whole account. */
function bringBack(
  { links, words: { bulkChanges: words } }: MailText,
  { user_id, changed_with: proof, credential_id, began_at }: BulkIncident,
  keeps: KeptPast,
): Paragraph[] {
  const since = `${formatLocal(began_at - BULK_WINDOW_MS)}Z`
  const trash = {
    link: links.trash({
      ...(credential_id === null ? { deleted_by: user_id, deleted_with: proof } : { credential_id }),
      since,
    }),
  }
  if (keeps.trash && keeps.history)
    return [words.rewind, { link: links.rewind({ to: since, account: user_id }) }, words.onlyDeleted, trash]
  if (keeps.trash) return [words.restore, trash, words.changedFromBackup]
  return [`${words.deletedFromBackup} ${keeps.history ? words.changedFromHistory : words.nothingKept}`]
}

const verification = (text: MailText, key: LinkToken): Paragraph[] => [
  text.words.verification(text.name),
  { link: text.links.verify(key.token) },
  howLong(text, key),
  text.words.ignore,
]

const alreadyRegistered = ({ name, links, words }: MailText): Paragraph[] => [
  words.alreadyRegistered.tried(name),
  words.alreadyRegistered.signIn,
  { link: links.signIn },
  words.alreadyRegistered.forgotten,
  { link: links.forgot },
  words.ignore,
]

const registeredAgain = (text: MailText, key: LinkToken): Paragraph[] => [
  text.words.registeredAgain.confirm(text.name),
  { link: text.links.verify(key.token) },
  howLong(text, key),
  text.words.registeredAgain.afterwards,
  text.words.ignore,
]

const reset = (text: MailText, key: LinkToken): Paragraph[] => [
  text.words.reset.choose(text.name),
  { link: text.links.reset(key.token) },
  howLong(text, key),
  text.words.reset.ignore,
]

const resetUnverified = (text: MailText, key: LinkToken): Paragraph[] => [
  text.words.reset.chooseUnverified(text.name),
  { link: text.links.reset(key.token) },
  howLong(text, key),
  text.words.reset.endsOthers,
  text.words.reset.ignoreUnverified,
]

const setPassword = (text: MailText, key: LinkToken, isApproved: boolean): Paragraph[] => {
  const words = text.words.setPassword
  return [
    isApproved ? words.approved(text.name) : words.exists(text.name),
    words.choose,
    { link: text.links.reset(key.token) },
    howLong(text, key),
    words.expired,
    { link: text.links.forgot },
    words.ignore,
  ]
}

const passwordChanged = (text: MailText, changedAt: Instant): Paragraph[] => [
  text.words.passwordChanged.changed(text.name, formatMoment(changedAt, text)),
  text.words.passwordChanged.act,
  { link: text.links.forgot },
]

const approved = ({ name, links, words: { approved: words } }: MailText, isVerified: boolean): Paragraph[] => [
  words.approved(name),
  ...(isVerified ? [words.signIn, { link: links.signIn }] : [words.confirm, { link: links.forgot }]),
]

const accessRequested = ({ name, links, words }: MailText, waiting: number): Paragraph[] => [
  words.accessRequested.waiting(name, waiting),
  words.accessRequested.decide(waiting),
  { link: links.requests },
]

const howLong = (text: MailText, { goodUntil }: LinkToken): string =>
  text.words.linkWorks(formatMoment(goodUntil, text))

/** `Tuesday 14 July 2026, 09:00 (Europe/London)` */
function formatMoment(instant: Instant, { zone, language }: MailText): string {
  const { times } = wordsFor(language)
  const wall = toWall(zone, instant)
  // Both are formatted as wall time: the zone has been applied.
  return `${formatLongDay(dayOf(wall), times)}, ${dateFormat(times, 'UTC', times.clock).format(wall)} (${zone.name})`
}

/** In the reader's language, with the message itself, which is that of a command and therefore English. */
function causeOf(problem: string, { backupFailed: { causes } }: MailWords): string {
  if (/ENOSPC|SQLITE_FULL|disk is full|no space/i.test(problem)) return causes.full(problem)
  if (/EACCES|EPERM|EROFS|permission|read-only|readonly/i.test(problem)) return causes.denied(problem)
  return /ENOENT|no such file|is not there/i.test(problem) ? causes.missing(problem) : causes.other(problem)
}
