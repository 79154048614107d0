// Words of the administration of the server and its data in British English.
import { service } from './service.ts'

interface RewoundWords {
  deleted: number
  changed: number
  restored: number
  skipped: number
  dry_run: boolean
}

/** The administration pages about the server and its data. */
export const admin = {
  service,
  healthPage: {
    lead: 'Checks of the server, as “daybook doctor” makes them on the machine itself. Nothing is changed by looking.',
    again: 'Check again',
    checking: 'Checking …',
    checked: 'Checked',
    summary: (problems: number, warnings: number) => {
      const parts = [
        problems > 0 && (problems === 1 ? '1 problem' : `${problems} problems`),
        warnings > 0 && (warnings === 1 ? '1 warning' : `${warnings} warnings`),
      ].filter(Boolean)
      return parts.length > 0 ? `${parts.join(' and ')}. What to do is below.` : 'All is well.'
    },
    levels: { ok: 'OK', warning: 'Warning', problem: 'Problem' } as Record<string, string>,
    areas: {
      configuration: 'Settings',
      files: 'Files',
      disk: 'Disk',
      database: 'Database',
      index: 'Index',
      time: 'Time',
      mail: 'Mail',
      service: 'Service',
      public_url: 'Public address',
      certificate: 'Certificate',
      proxy: 'Proxy',
      backup: 'Backup',
    } as Record<string, string>,
  },
  diagnosticsPage: {
    lead: 'The latest requests, newest first. The contents of requests are not stored, only field names, types and sizes.',
    live: 'Updates every few seconds.',
    pause: 'Pause',
    goOn: 'Resume',
    paused: 'Paused.',
    latest: (count: number) => (count === 1 ? '1 new request.' : `${count} new requests.`),
    answers: 'Responses',
    anyAnswer: 'All responses',
    refused: 'Refused (4xx)',
    failed: 'Failed (5xx)',
    fine: 'Successful (below 400)',
    who: 'Signed in with',
    anyWho: 'Anyone',
    auths: { anonymous: 'not signed in', session: 'a browser', basic: 'a password', token: 'a token' } as Record<
      string,
      string
    >,
    search: 'Address or error contains',
    ownOut: 'Hide page files and this page’s own requests',
    table: 'Requests',
    time: 'Time',
    request: 'Request',
    answer: 'Response',
    duration: 'Duration',
    net: 'Network',
    unknownRoute: 'unknown address',
    details: 'Details of this request',
    milliseconds: (ms: number) => `${Math.round(ms)} ms`,
    empty: 'No requests match. Change the filters, or wait for the next one.',
    rebuilding: (done: number, total: number) =>
      `The index of occurrences is being rebuilt: ${done} of ${total} events. You can keep using the calendar.`,
    unreadable: (count: number) =>
      count === 1
        ? 'One stored event cannot be read. It is named in the log; `daybook reindex` lists it again.'
        : `${count} stored events cannot be read. They are named in the log; \`daybook reindex\` lists them again.`,
    clockInDoubt:
      'The server’s clock is days away from when the calendar was last used. Expired data is not removed until the clock is corrected, or confirmed with `daybook reindex --accept-clock`.',
    backupFailing: 'The last scheduled backup failed. The log of the service says why.',
    skipped: (count: number) =>
      `${count === 1 ? '1 request was' : `${count} requests were`} not recorded, because the server was busy.`,
    inClear:
      'In the last seven days a password or a personal feed link was sent over plain http. Look for “Credentials sent over plain http” in the audit trail.',
    loopbackHttp:
      'The setting allow_loopback_http is on: plain http is accepted on the server itself, although the public address is https.',
    id: 'Request id',
    node: 'Node',
    user: 'Person',
    query: 'Parameters',
    headers: 'Request headers',
    body: 'Fields sent',
    answerHeaders: 'Response headers',
    bytes: 'Bytes received, sent',
    error: 'Error',
    limit: 'Refused by limit',
  },
  rewindPage: {
    head: 'Make the calendar what it was',
    lead: 'Events created since a moment go to the trash, events changed since get their text of then, and events deleted since come back, for everyone. You will see a preview first, and you can undo it.',
    to: 'As it was on',
    toHint: (zone: string) => `In the time zone ${zone}.`,
    by: 'Only changes made by',
    byHint: 'The email address of an account. Events that another account changed later stay as they are.',
    badMoments: {
      invalid_format: 'Enter a date and a time.',
      not_allowed: 'This moment is in the future.',
    } as Record<string, string>,
    preview: 'Preview the rewind',
    looking: 'Comparing the events…',
    working: 'Rewinding the calendar… Leave this page open.',
    wouldHead: 'What would happen',
    didHead: 'What happened',
    counts: ({ deleted, changed, restored, skipped, dry_run: isDryRun }: RewoundWords) =>
      `${deleted} to the trash, ${changed} changed back, ${restored} restored${
        skipped > 0 ? `, ${skipped} ${isDryRun ? 'would be' : 'were'} left as they are` : ''
      }.`,
    published: (count: number, isDryRun: boolean) => {
      const events = count === 1 ? 'One private event' : `${count} private events`
      if (isDryRun) return `${events} would be public again.`
      return count === 1 ? `${events} is public again.` : `${events} are public again.`
    },
    publicAgain: '– public again',
    notKept:
      'Earlier versions and deleted events are not kept for long enough to rewind the calendar: the server sets history_days or trash_days to 0.',
    nothing: 'The calendar is as it was at that moment, so there is nothing to rewind.',
    now: (count: number) => (count === 1 ? 'Rewind one event…' : `Rewind ${count} events…`),
    sure: (count: number) =>
      count === 1
        ? 'One event becomes what it was, for everyone. You can undo this afterwards.'
        : `${count} events become what they were, for everyone. You can undo this afterwards.`,
    yes: (count: number) => (count === 1 ? 'Yes, rewind it' : `Yes, rewind ${count} events`),
    undo: 'Preview undoing this rewind',
    events: 'Events',
    event: 'Event',
    result: 'Result',
    results: {
      deleted: { would: 'to the trash', did: 'in the trash' },
      changed: { would: 'changed back', did: 'changed back' },
      restored: { would: 'restored', did: 'restored' },
      skipped: { would: 'left as it is', did: 'left as it is' },
    } as Record<string, { would: string; did: string }>,
    reasons: {
      changed_later: 'another account changed it later',
      changed_meanwhile: 'it was changed during the rewind',
      not_kept: 'its text of then is not kept',
      uid_conflict: 'it was created again meanwhile',
      not_stored: 'it could not be stored',
    },
    truncated: 'Only the first 1,000 events are listed. The numbers above include all of them.',
    refusals: {
      user_not_found: 'There is no account with this email address.',
      rewind_too_early: 'What the calendar was at this moment is not kept any more. Choose a later one.',
    } as Record<string, string>,
  },
  transferPage: {
    importHead: 'Import a calendar file',
    importLead:
      'Imports an .ics file from another program, up to 10 MiB. Events are matched by their UID: existing ones are updated, new ones are added, and none are deleted. No emails are sent. You will see a preview first.',
    file: 'Calendar file (.ics)',
    tooLarge: (size: string, command: string) =>
      `This file is ${size}; the limit here is 10 MiB. On the server you can import a file of any size: ${command} import calendar.ics`,
    rehearse: 'Preview the import',
    uploading: 'Uploading the file…',
    looking: 'Reading the file…',
    importing: 'Importing the events… A large file takes a minute or two; leave this page open.',
    wouldHead: 'What would happen',
    didHead: 'What happened',
    importNow: (count: number) => (count === 1 ? 'Import 1 event' : `Import ${count} events`),
    nothing: 'There is nothing new in this file, so there is nothing to import.',
    done: 'The import is complete.',
    unreadable: (line: number) =>
      `This is not a calendar file, or it is incomplete (line ${line}). Nothing was imported.`,
    notCalendar: 'This is not a calendar file in UTF-8. Nothing was imported.',
    results: {
      created: { would: 'new', did: 'new' },
      updated: { would: 'would change', did: 'changed' },
      unchanged: { would: 'unchanged', did: 'unchanged' },
      skipped: { would: 'would be skipped', did: 'skipped' },
    } as Record<string, { would: string; did: string }>,
    show: 'Show',
    all: 'All entries',
    entries: 'Entries of the file',
    line: 'Line',
    event: 'Event',
    result: 'Result',
    continues: 'It was deleted before; the deleted version is still in the trash.',
    more: (count: number) => `… and ${count} more. The numbers above include all entries.`,
    exportHead: 'Export everything',
    exportLead:
      'All events with all their details, including private ones, in one file. Keep it where only you can read it.',
    export: 'Download calendar.ics',
  },
  settingsPage: {
    lead: 'Changes are in force at once, and on every node within ten seconds. They are listed in the audit trail.',
    calendar: 'Calendar',
    accounts: 'Accounts',
    backups: 'Backups',
    save: 'Save',
    saved: 'The settings were saved.',
    nothing: 'There is nothing to save.',
    reset: 'Reset',
    resetOf: (label: string) => `Reset: ${label}`,
    defaultIs: (value: string) => (value ? `Default: ${value}` : 'Changed here'),
    overruled: (value: string) => `Set here to “${value}”, which has no effect.`,
    empty: 'not set',
    fields: {
      site_name: { label: 'Name of the calendar', hint: 'In the header of every page, in mails and feeds.' },
      timezone: {
        label: 'Time zone',
        hint: 'For dates and times without a zone of their own. All-day events stay on their dates, other events at their times.',
      },
      week_start: {
        label: 'The week begins on',
        hint: 'By language, American readers see weeks from Sunday and German ones from Monday.',
      },
      language: {
        label: 'Language',
        hint: 'For mails, and for readers whose browser names none of the offered languages.',
      },
      default_visibility: { label: 'New events are', hint: 'Unless the writer chooses otherwise.' },
      embed_sites: {
        label: 'Sites that may show the calendar in a frame',
        hint: 'Addresses such as https://www.example.org, separated by commas; * is any site.',
      },
      registration: { label: 'Requests for accounts', hint: 'Requests that wait can be approved in either case.' },
      notify_admins: { label: 'When an account is requested', hint: '' },
      mail_from: { label: 'Sender of mails', hint: 'The mail server must accept this address as a sender.' },
      backup_every: { label: 'How often a backup is made', hint: 'Hours or days, such as 6h or 1d.' },
      backup_keep: {
        label: 'Which backups are kept',
        hint: 'The last one of each of so many days, weeks and months, at least 7d 4w 12m.',
      },
    },
    problems: {
      site_name: { invalid_format: 'The name must be one line of 1 to 100 characters.' },
      embed_sites: { invalid_format: 'Each site needs an address such as https://www.example.org, without a path.' },
      backup_every: { invalid_format: 'This must be hours or days, such as 6h or 1d.' },
      backup_keep: {
        invalid_format: 'This must be days, weeks and months, such as 7d 4w 12m.',
        not_allowed: 'This must be at least 7d 4w 12m. The operator may set less on the server.',
      },
    } as Record<string, Record<string, string>>,
    refusals: {
      version_mismatch:
        'Someone else has changed settings meanwhile. Fields that you have not changed show that now; check them and save again.',
      email_not_verified:
        'With a mail server, accounts need a verified address, and yours is not verified. Ask another administrator to mark it as verified on the page People.',
    },
    weekStartAuto: 'depends on the reader’s language',
    visibilities: { private: 'private', public: 'public' },
    registrations: { open: 'open', closed: 'closed' },
    notifications: { on: 'send administrators a mail', off: 'send no mail' },
    noBackupFolder:
      'No backups are made, because no folder for them is set: the operator sets backup_dir on the server.',
    mailServer: {
      title: 'Mail',
      lead: 'Without a mail server, mails are files on the server. With one, accounts need a verified address unless the operator has set otherwise.',
      server: 'Mail server',
      serverHint: 'Its name, such as mail.example.org.',
      port: 'Port',
      encryption: 'Encryption',
      encryptions: {
        starttls: 'STARTTLS (usual, port 587)',
        tls: 'TLS from the start (port 465)',
        none: 'none, on the same machine or network only',
      },
      user: 'Login',
      password: 'Password',
      stored: 'empty keeps it',
      passwordEnds:
        'The stored password belongs to the former server and login, and ends with this change. Enter it again.',
      remove: 'Remove the mail server',
      ownPasswordHint: 'To change these settings, because mails carry links that reset passwords.',
      problems: {
        invalid_format: 'This is not the name of a server, or the port is not a number.',
        not_allowed: 'A password needs a login.',
      },
      test: 'Send me a test mail',
      testing: 'Sending…',
      saveFirst: 'Save your changes first.',
      tested: (to: string) => `The test mail to ${to} was accepted. Look whether it arrives.`,
      testedFile: 'There is no mail server, so the test mail was written to a file on the server.',
      testFailed: (why: string) => `The test mail was not sent: ${why}.`,
    },
    machine: 'On the server',
    machineLead:
      'These settings are changed by the operator, in daybook.json or the environment, and take effect at the next start.',
    origins: {
      environment: 'from the environment',
      file: 'from daybook.json',
      database: 'changed here',
      default: 'default',
    } as Record<string, string>,
  },
}
