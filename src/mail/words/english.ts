// Words of all mails in British English. `name` is that of the calendar.

export const mail = {
  hello: 'Hello,',
  /** One per kind, whatever the mail says: it discloses only why the mail was sent. */
  subjects: {
    verification: (name: string) => `${name}: please confirm your email address`,
    already_registered: (name: string) => `${name}: you already have an account`,
    reset: (name: string) => `${name}: reset your password`,
    set_password: (name: string) => `${name}: please choose your password`,
    password_changed: (name: string) => `${name}: your password was changed`,
    approved: (name: string) => `${name}: your account has been approved`,
    rejected: (name: string) => `${name}: your request was not approved`,
    suspended: (name: string) => `${name}: your account has been suspended`,
    access_requested: (name: string) => `${name}: someone has requested an account`,
    backup_failed: (name: string) => `${name}: backups are failing`,
    bulk_changes: (name: string) => `${name}: very many events were deleted or changed`,
    test: (name: string) => `${name}: test email`,
  },
  linkWorks: (until: string) => `The link works once, until ${until}.`,
  ignore: 'If this was not you, you can ignore this email.',
  mistake: 'If you think this is a mistake, please contact the people who run the calendar.',
  verification: (name: string) =>
    `An account at ${name} has been requested with this email address. If this was you, please confirm that the address is yours:`,
  alreadyRegistered: {
    tried: (name: string) =>
      `Someone tried to register at ${name} with this email address. It already has an account, and nothing was changed.`,
    signIn: 'If this was you, you can simply sign in:',
    forgotten: 'If you have forgotten your password, you can choose a new one:',
  },
  registeredAgain: {
    confirm: (name: string) =>
      `An account at ${name} has been requested again with this email address. The first request still stands, with the name given then, but the address was never confirmed. If this was you, please confirm that the address is yours:`,
    afterwards:
      'After that we will send you another email to choose a password, because the first one may have been someone else’s.',
  },
  reset: {
    choose: (name: string) =>
      `A new password has been requested for your account at ${name}. If this was you, you can choose one here:`,
    ignore: 'If this was not you, you can ignore this email: your password stays as it is.',
    chooseUnverified: (name: string) =>
      `A new password has been requested for the account at ${name} with this email address. The address was never confirmed. If this was you, you can confirm it by choosing a password here:`,
    endsOthers: 'Any password chosen for the account earlier will then stop working.',
    ignoreUnverified: 'If this was not you, you can ignore this email: nothing was changed.',
  },
  setPassword: {
    approved: (name: string) => `Your account at ${name} has been approved.`,
    exists: (name: string) => `There is an account at ${name} for this email address.`,
    choose:
      'It was requested more than once, possibly by someone else, so the original password no longer works. Please choose a new one:',
    expired: 'If it has expired, you can request another:',
    ignore: 'If you did not request an account, you can ignore this email.',
  },
  passwordChanged: {
    changed: (name: string, when: string) => `The password of your account at ${name} was changed on ${when}.`,
    act: 'If this was you, there is nothing to do. If it was not, choose a new password at once and contact the people who run the calendar:',
  },
  approved: {
    approved: (name: string) => `Your account at ${name} has been approved.`,
    signIn: 'You can sign in now:',
    confirm:
      'One step is left: your email address was never confirmed. To confirm it, choose a new password with a link that we send you. Request that link here:',
  },
  rejected: (name: string) => `Your request for an account at ${name} was not approved.`,
  suspended: (name: string) =>
    `Your account at ${name} has been suspended. You cannot sign in until an administrator reinstates it.`,
  accessRequested: {
    waiting: (name: string, count: number) =>
      count === 1
        ? `One person is waiting for an account at ${name}.`
        : `${count} people are waiting for an account at ${name}.`,
    decide: (count: number) =>
      `As an administrator you can approve or reject ${count === 1 ? 'the request' : 'their requests'}:`,
  },
  backupFailed: {
    /** What `problem` of the next text says, from the English message of the failed command. */
    causes: {
      full: (problem: string) => problem,
      denied: (problem: string) => problem,
      missing: (problem: string) => problem,
      other: (problem: string) => problem,
    },
    failed: (name: string, problem: string) => `The scheduled backup of ${name} failed: ${problem}`,
    again:
      'It is tried again every quarter of an hour. Until it works, changes since the last backup exist only in the calendar itself.',
  },
  bulkChanges: {
    /** `means` is one of those below. */
    happened: (name: string, limit: number, means: string, when: string) =>
      `An account has deleted or changed more than ${limit} events of ${name} within ten minutes, ${means}, on ${when}. Further changes in this way are slowed down.`,
    means: {
      session: 'in one browser',
      password: 'with the password of the account',
      app_password: 'with one app password, as calendar programs use',
      token: 'with one API token',
    },
    intended: 'If this was intended, there is nothing to do.',
    stop: 'If it was not, stop it first: suspend the account, which the audit trail names.',
    rewind: 'Then bring back all that the account deleted or changed. This page shows first what will be as it was:',
    onlyDeleted: 'To restore only what was deleted, and only in this way:',
    restore: 'Then restore what was deleted:',
    changedFromBackup:
      'What was changed can only be taken from a backup, because earlier versions of events are not kept (history_days is 0).',
    deletedFromBackup:
      'What was deleted can only be taken from a backup, because deleted events are not kept (trash_days is 0).',
    changedFromHistory: 'What was changed can be restored on the page “History” of each event.',
    nothingKept: 'Earlier versions are not kept either.',
  },
  test: (name: string) => `This is a test: email from ${name} has reached you.`,
}
