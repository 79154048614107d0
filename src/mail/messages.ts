// Texts of all mails: only the configured name, links, times and numbers, no user input.

import { BULK_WINDOW_MS } from '../domain/limits/bulk-changes.ts'
import { dateFromDay, dayOf, type Instant, weekdayOf } from '../domain/time/instant.ts'
import { formatLocal } from '../domain/time/text.ts'
import { MONTH_TITLES, WEEKDAY_TITLES } from '../domain/time/weekdays.ts'
import { toWall, type Zone } from '../domain/time/zone.ts'
import { type Message, type Paragraph, renderMessage } from './layout.ts'
import type { Links } from './links.ts'

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

export function writeMessage(site: MailSite, news: MailContent): Message {
  return renderMessage(subjectOf(site, news.kind), [
    'Hello,',
    ...bodyOf(site, news),
    site.name,
    { link: site.links.home },
  ])
}

/** One subject per kind, whatever the mail says: it discloses only why the mail was sent. */
function subjectOf({ name }: MailSite, kind: MailContent['kind']): string {
  switch (kind) {
    case 'verification':
      return `${name}: please confirm your email address`
    case 'already_registered':
      return `${name}: you already have an account`
    case 'reset':
      return `${name}: reset your password`
    case 'set_password':
      return `${name}: please choose your password`
    case 'password_changed':
      return `${name}: your password was changed`
    case 'approved':
      return `${name}: your account has been approved`
    case 'rejected':
      return `${name}: your request was not approved`
    case 'suspended':
      return `${name}: your account has been suspended`
    case 'access_requested':
      return `${name}: someone has requested an account`
    case 'backup_failed':
      return `${name}: backups are failing`
    case 'bulk_changes':
      return `${name}: very many events were deleted or changed`
    case 'test':
      return `${name}: test email`
  }
}

function bodyOf(site: MailSite, news: MailContent): Paragraph[] {
  switch (news.kind) {
    case 'verification':
      return verification(site, news.key)
    case 'already_registered':
      return news.key ? registeredAgain(site, news.key) : alreadyRegistered(site)
    case 'reset':
      return news.isVerified ? reset(site, news.key) : resetUnverified(site, news.key)
    case 'set_password':
      return setPassword(site, news.key, news.isApproved)
    case 'password_changed':
      return passwordChanged(site, news.changedAt)
    case 'approved':
      return approved(site, news.isVerified)
    case 'rejected':
      return rejected(site)
    case 'suspended':
      return suspended(site)
    case 'access_requested':
      return accessRequested(site, news.waiting)
    case 'backup_failed':
      return backupFailed(site, news.problem)
    case 'bulk_changes':
      return bulkChanges(site, news)
    case 'test':
      return [`This is a test: email from ${site.name} has reached you.`]
  }
}

const backupFailed = ({ name }: MailSite, problem: string): Paragraph[] => [
  `The scheduled backup of ${name} failed: ${problem}`,
  'It is tried again every quarter of an hour. Until it works, changes since the last backup exist only in the calendar itself.',
]

const bulkChanges = (
  { name, links, zone }: MailSite,
  { incident, limit, keeps }: Extract<MailContent, { kind: 'bulk_changes' }>,
): Paragraph[] => [
  `An account has deleted or changed more than ${limit} events of ${name} within ten minutes, ${WITH[incident.changed_with]}, on ${formatMoment(incident.began_at, zone)}. Further changes in this way are slowed down.`,
  'If this was intended, there is nothing to do.',
  'If it was not, stop it first: suspend the account, which the audit trail names.',
  { link: links.people },
  ...bringBack(links, incident, keeps),
]

/** A rewind needs both; the trash is of one credential, a rewind of the whole account. */
function bringBack(
  links: Links,
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
    return [
      'Then bring back all that the account deleted or changed. This page shows first what will be as it was:',
      { link: links.rewind({ to: since, account: user_id }) },
      'To restore only what was deleted, and only in this way:',
      trash,
    ]
  if (keeps.trash)
    return [
      'Then restore what was deleted:',
      trash,
      'What was changed can only be taken from a backup, because earlier versions of events are not kept (history_days is 0).',
    ]
  const changed = keeps.history
    ? ' What was changed can be restored on the page “History” of each event.'
    : ' Earlier versions are not kept either.'
  return [
    `What was deleted can only be taken from a backup, because deleted events are not kept (trash_days is 0).${changed}`,
  ]
}

const WITH: Record<BulkIncident['changed_with'], string> = {
  session: 'in one browser',
  password: 'with the password of the account',
  app_password: 'with one app password, as calendar programs use',
  token: 'with one API token',
}

const verification = ({ name, links, zone }: MailSite, { token, goodUntil }: LinkToken): Paragraph[] => [
  `An account at ${name} has been requested with this email address. If this was you, please confirm that the address is yours:`,
  { link: links.verify(token) },
  howLong(zone, goodUntil),
  'If this was not you, you can ignore this email.',
]

const alreadyRegistered = ({ name, links }: MailSite): Paragraph[] => [
  `Someone tried to register at ${name} with this email address. It already has an account, and nothing was changed.`,
  'If this was you, you can simply sign in:',
  { link: links.signIn },
  'If you have forgotten your password, you can choose a new one:',
  { link: links.forgot },
  'If this was not you, you can ignore this email.',
]

const registeredAgain = ({ name, links, zone }: MailSite, { token, goodUntil }: LinkToken): Paragraph[] => [
  `An account at ${name} has been requested again with this email address. The first request still stands, with the name given then, but the address was never confirmed. If this was you, please confirm that the address is yours:`,
  { link: links.verify(token) },
  howLong(zone, goodUntil),
  'After that we will send you another email to choose a password, because the first one may have been someone else’s.',
  'If this was not you, you can ignore this email.',
]

const reset = ({ name, links, zone }: MailSite, { token, goodUntil }: LinkToken): Paragraph[] => [
  `A new password has been requested for your account at ${name}. If this was you, you can choose one here:`,
  { link: links.reset(token) },
  howLong(zone, goodUntil),
  'If this was not you, you can ignore this email: your password stays as it is.',
]

const resetUnverified = ({ name, links, zone }: MailSite, { token, goodUntil }: LinkToken): Paragraph[] => [
  `A new password has been requested for the account at ${name} with this email address. The address was never confirmed. If this was you, you can confirm it by choosing a password here:`,
  { link: links.reset(token) },
  howLong(zone, goodUntil),
  'Any password chosen for the account earlier will then stop working.',
  'If this was not you, you can ignore this email: nothing was changed.',
]

const setPassword = (
  { name, links, zone }: MailSite,
  { token, goodUntil }: LinkToken,
  isApproved: boolean,
): Paragraph[] => [
  isApproved ? `Your account at ${name} has been approved.` : `There is an account at ${name} for this email address.`,
  'It was requested more than once, possibly by someone else, so the original password no longer works. Please choose a new one:',
  { link: links.reset(token) },
  howLong(zone, goodUntil),
  'If it has expired, you can request another:',
  { link: links.forgot },
  'If you did not request an account, you can ignore this email.',
]

const passwordChanged = ({ name, links, zone }: MailSite, changedAt: Instant): Paragraph[] => [
  `The password of your account at ${name} was changed on ${formatMoment(changedAt, zone)}.`,
  'If this was you, there is nothing to do. If it was not, choose a new password at once and contact the people who run the calendar:',
  { link: links.forgot },
]

const approved = ({ name, links }: MailSite, isVerified: boolean): Paragraph[] => [
  `Your account at ${name} has been approved.`,
  ...(isVerified
    ? ['You can sign in now:', { link: links.signIn }]
    : [
        'One step is left: your email address was never confirmed. To confirm it, choose a new password with a link that we send you. Request that link here:',
        { link: links.forgot },
      ]),
]

const rejected = ({ name }: MailSite): Paragraph[] => [
  `Your request for an account at ${name} was not approved.`,
  'If you think this is a mistake, please contact the people who run the calendar.',
]

const suspended = ({ name }: MailSite): Paragraph[] => [
  `Your account at ${name} has been suspended. You cannot sign in until an administrator reinstates it.`,
  'If you think this is a mistake, please contact the people who run the calendar.',
]

const accessRequested = ({ name, links }: MailSite, waiting: number): Paragraph[] => [
  waiting === 1
    ? `One person is waiting for an account at ${name}.`
    : `${waiting} people are waiting for an account at ${name}.`,
  `As an administrator you can approve or reject ${waiting === 1 ? 'the request' : 'their requests'}:`,
  { link: links.requests },
]

const howLong = (zone: Zone, goodUntil: Instant): string =>
  `The link works once, until ${formatMoment(goodUntil, zone)}.`

/** `Tuesday 14 July 2026, 09:00 (Europe/London)` */
function formatMoment(instant: Instant, zone: Zone): string {
  const wall = toWall(zone, instant)
  const { year, month, day } = dateFromDay(dayOf(wall))
  const clock = formatLocal(wall).slice(11, 16)
  return `${WEEKDAY_TITLES[weekdayOf(dayOf(wall))]} ${day} ${MONTH_TITLES[month - 1]} ${year}, ${clock} (${zone.name})`
}
