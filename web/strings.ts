// All user-visible text of the web app and the embedded elements, ready for translation.
import { calendarPage, frame as frameWords, times } from '../src/words/english.ts'

export { rule } from '../src/words/english.ts'

export const frame = {
  ...frameWords,
  signOut: 'Sign out',
  stillSignedIn: 'You are still signed in.',
  account: 'My account',
  admin: 'Administration',
  newEvent: 'New event',
  trash: 'Trash',
  missingTitle: 'Page not found',
  missing: 'The address may be mistyped, or the page may have moved.',
  toCalendar: 'Go to the calendar',
  brokenTitle: 'This page could not be loaded',
  broken: 'You may be offline, or Daybook may have just been updated.',
  tryAgain: 'Try again',
}

export const common = {
  ownPassword: 'Your own password',
  ownPasswordProblems: {
    required: 'Enter your own password.',
    not_allowed: 'This is not your own password.',
  },
  loading: 'Loading…',
  working: 'One moment…',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  delete: 'Delete',
  copy: 'Copy',
  copied: 'Copied',
  undo: 'Undo',
  yes: 'Yes',
  no: 'No',
  show: 'Show',
  hide: 'Hide',
  optional: 'optional',
  privateEvent: 'Private Event',
  tryAgainIn: (seconds: number) => `Too many attempts. Try again in ${waitInWords(seconds)}.`,
}

/** The calendar page. */
export const calendar = {
  ...calendarPage,
  severalDates: 'on several dates',
  to: times.to,
  allDayShort: 'all day',
  repeats: 'repeats',
  private: 'private',
  tentative: 'Not yet confirmed',
  cancelledNote: 'Cancelled',
  privateNote: 'Private: only people who are signed in can see more than the time.',
  maskedNote: 'This time is taken. The details are private.',
  days: 'Use the arrow keys to move between days, and Enter to open a day.',
  daysForWriters: 'Use the arrow keys to move between days, Enter to add an event, and Space to open a day.',
  slots: 'Times of day. Use the arrow keys to move between times, and Enter to open the day.',
  slotsForWriters: 'Times of day. Use the arrow keys to move between times, and Enter to add an event.',
  timesIn: 'Times in',
  zoneOfCalendar: (zone: string) => `${zone} (calendar)`,
  zoneOfReader: (zone: string) => `${zone} (yours)`,
  print: {
    open: calendarPage.openPrint,
    title: 'Print',
    size: 'Size of the text',
    sizes: { normal: 'Normal', large: 'Large' },
    means: { normal: '– as on screen, with every event', large: '– a list for a notice board' },
    send: 'Print',
    legend: 'Legend',
    private: 'Private',
    address: (site: string, address: string) => `${site}: ${address}`,
  },
  shortcuts: {
    title: calendarPage.openShortcuts,
    today: 'Today',
    new: 'New event',
    search: 'Search',
    period: 'Previous or next period',
    sheet: 'These shortcuts',
    on: 'Use these single keys',
    always: 'Always',
    move: 'Move between days, or between times in a week or a day',
    add: 'Add an event there',
    open: 'Open that day',
    undo: 'Undo the last move or deletion',
    close: 'Close a dialog',
    spoken: { '←': 'Left', '→': 'Right', '↑': 'Up', '↓': 'Down', '/': 'Slash', '?': 'Question mark', Esc: 'Escape' },
  },
  newEvent: 'New event',
  subscribeTitle: 'Subscribe to this calendar',
  subscribeIntro: 'Your calendar app will show these events and keep them up to date.',
  subscribeCategory: (category: string) => `Only “${category}”`,
  withApple: 'Apple Calendar',
  withGoogle: 'Google Calendar',
  withOutlook: 'Outlook.com',
  withOffice: 'Outlook for work or school',
  withProgram: 'Another app on this device',
  subscribeLink: 'Or copy this address into your calendar app',
  event: 'Event',
  when: 'When',
  where: 'Where',
  repeatsLabel: 'Repeats',
  link: 'Link',
  page: 'Event page',
  take: 'Add to my calendar',
  edit: 'Edit',
  duplicate: 'Duplicate',
}

/** Sign-in, registration, and the account pages. */
export const account = {
  email: 'Email address',
  password: 'Password',
  newPassword: 'New password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  passwordHint: 'At least 12 characters. A few unrelated words work well.',
  passwordProblems: {
    required: 'Choose a password.',
    too_short: 'This password is too short. Use at least 12 characters.',
    too_long: 'This password is too long. Use at most 128 characters.',
  } as Record<string, string>,
  emailProblems: {
    required: 'Enter your email address.',
    invalid_format: 'This does not look like an email address.',
  } as Record<string, string>,

  signInFirst: 'Sign in to see this page.',
  stay: 'Stay signed in.',
  stayHint:
    'For up to 30 days. Do not use this on a shared computer. Administrators are still signed out after two hours without activity.',
  forgotten: 'Forgotten your password?',
  noAccount: 'No account yet? Request one',
  signedInAs: (email: string) => `You are signed in as ${email}.`,
  carryOn: 'Continue',
  /** Why the user cannot sign in and what happens next, by error code. */
  refusals: {
    // Of a correct password too, if the address is not verified yet: the text must be true of both.
    invalid_credentials: 'You could not be signed in. Check the email address and the password.',
    account_pending:
      'Your password is correct, but your request is still waiting for an administrator. Try again when you have heard from them.',
    account_rejected:
      'An administrator has declined your request, so you cannot sign in. Contact them if you think this is a mistake.',
    account_suspended:
      'This account is suspended. You cannot sign in until an administrator reinstates it. Contact them to find out why.',
    email_not_verified:
      'Your password is correct, but your email address is not verified yet: the link in the email has not been opened.',
  } as Record<string, string>,
  unopened:
    'Your password is correct, but the link in the email that confirms your address has not been opened yet. Open it first; an administrator then reviews your request.',
  perhapsUnopened:
    'Or have you requested an account and not yet opened the link in the email? You can sign in after that.',
  newLinkForAddress: 'Send me a new link',
  unverifiedNoMail:
    'Your password is correct, but your email address is not verified. Ask an administrator to verify it.',
  againTitle: 'Please sign in again',
  again: 'You were signed out. The page behind this window is just as you left it. Sign in again to continue.',
  againOther: 'Sign in as someone else',
  otherTitle: 'Someone else is signed in here now',
  other: (user: string, other: string) =>
    `You opened this page as ${user}, but ${other} has since signed in on this browser. Nothing you typed here was sent.`,
  otherReload: (other: string) => `Reload the page as ${other}`,
  otherStay: 'Leave it as it is',

  registerTitle: 'Request an account',
  registerLead: 'With an account you can also see private events, and you may be allowed to add and edit events.',
  steps: [
    'Fill in this form.',
    'Open the link that we email you, to confirm that the address is yours.',
    'An administrator reviews your request. Once it is approved, you can sign in.',
  ],
  stepsNoMail: [
    'Fill in this form.',
    'An administrator reviews your request. This calendar sends no email, so ask them whether you can sign in.',
  ],
  nameHint: 'Only administrators can see it.',
  message: 'Message to the administrator',
  messageHint: 'Who you are, and what you would like to do here.',
  trap: 'Leave this empty',
  register: 'Send my request',
  proving: 'One moment: your browser is solving a small puzzle, to keep bots away…',
  checkMailTitle: 'Check your email',
  checkMail: (email: string) => `We have sent an email to ${email}.`,
  checkMailNext: [
    'Open the link in it within 24 hours and press the button.',
    'An administrator will then review your request. This may take a day or two.',
    'Nothing has arrived? Check your spam folder, and check that the address is spelt correctly.',
  ],
  receivedTitle: 'Your request was received',
  received: 'An administrator will review it. This may take a day or two.',
  receivedNoMail: 'This calendar sends no email. Ask an administrator, or try to sign in later.',
  resend: 'Send another link',
  resent: (email: string) =>
    `If ${email} is still to be verified, another email is on its way. Its link confirms the address and lets you choose your password again. It is sent at most once a day.`,
  registerOther: 'Use a different address',

  verifyTitle: 'Verify your email address',
  verifyLead: 'Press the button to confirm that this address is yours.',
  verify: 'Verify my address',
  verified: 'Your email address is verified.',
  verifiedWaiting:
    'Your email address is verified. An administrator will review your request, and you will hear from them.',
  verifiedPassword:
    'Your email address is verified. The account was requested more than once, so we are sending you another email to choose your password.',
  verifiedPasswordNoMail:
    'Your email address is verified. The account was requested more than once, so you need a link to choose your password. This calendar sends no email: ask an administrator for the link.',
  incompleteLink: 'This link is incomplete. Open it from the email again.',

  forgotTitle: 'Forgotten password',
  forgotLead:
    'If this address has an account, we will email you a link to choose a new password. The link also confirms the address, if that is still to be done.',
  forgotLeadNoMail:
    'This calendar sends no email. If this address has an account, a link to choose a new password is stored on the server, and an administrator can give it to you.',
  sendLink: 'Send me a link',
  sendLinkNoMail: 'Ask for a link',
  linkSent: 'If this address has an account, an email is on its way. The link in it works for one hour.',
  linkStored:
    'If this address has an account, the link is on the server for one hour. Ask an administrator to give it to you.',
  resetTitle: 'Choose a new password',
  resetLead:
    'It replaces your old one. You will be signed out everywhere, and your devices will need new app passwords.',
  reset: 'Change my password',
  resetDone: 'Your password has been changed. Sign in with the new one.',
  newLink: 'Request a new link',

  parts: 'Account pages',
  overview: 'Overview',
  role: 'Role',
  roles: {
    reader: 'Reader: can see all events, including private ones',
    writer: 'Writer: can see, add and change all events',
    admin: 'Administrator: can see, add and change all events, and manage accounts',
  },
  currentPassword: 'Current password',
  currentProblems: {
    not_allowed: 'This is not your current password.',
    required: 'Enter your current password.',
  } as Record<string, string>,
  changeLead: 'You will be signed out everywhere else. App passwords, feed links and tokens stay as they are.',
  changed: 'Your password has been changed. You were signed out everywhere else.',
  outLead:
    'Ends all your sessions, including this one. Use it if you stayed signed in on a computer that is not yours.',
  out: 'Sign out everywhere',

  name: 'Name',
  none: 'You have none yet.',
  neverUsed: 'Never used',
  lastUsed: (when: string) => `Last used ${when}`,
  made: (when: string) => `Created ${when}`,
  shownOnce: 'This is shown only once. Copy it before you continue.',
  tookIt: 'I have copied it',
  keep: 'Keep it',
  noMore: 'You have reached the limit. Delete one that you no longer use.',

  devicesTitle: 'App passwords',
  devicesLead:
    'An app password lets the calendar app on your phone or computer use this calendar. Create one for each device. If you lose a device, delete its password here; the others will keep working.',
  deviceName: 'Device or app',
  deviceHint: 'For example: my phone.',
  makeDevice: 'Create an app password',
  deviceMade: (name: string) => `The app password for “${name}”`,
  devicesYours: 'Your app passwords',
  deviceGoes: (name: string) => `“${name}” will lose access at once. Events that it has added stay in the calendar.`,
  deleted: (name: string) => `“${name}” has been deleted.`,
  deleteNamed: (name: string) => `Delete ${name}`,
  deleteTitle: (name: string) => `Delete “${name}”?`,

  guideTitle: 'Set up your calendar app',
  guideLead: 'Every app needs just these three details:',
  guideServer: 'Server address',
  guideUser: 'User name',
  guidePassword: 'Password: an app password from above.',
  guides: ({ server, host, email }: { server: string; host: string; email: string }) => [
    {
      name: 'iPhone and iPad',
      steps: [
        'Settings › Apps › Calendar › Calendar Accounts › Add Account › Other › Add CalDAV Account.',
        `Server: ${host}`,
        `User name: ${email}`,
        'Password: the app password. The description is up to you.',
        'Set how often it checks for changes under “Fetch New Data”.',
      ],
    },
    {
      name: 'Mac (Apple Calendar)',
      steps: [
        'System Settings › Internet Accounts › Add Account › Add Other Account › CalDAV account.',
        'Account type: Manual.',
        `User name: ${email}`,
        'Password: the app password.',
        `Server address: ${host}`,
      ],
    },
    {
      name: 'Thunderbird',
      steps: [
        'Calendar › New Calendar › On the Network.',
        `User name: ${email}`,
        `Location: ${server}`,
        'Press Find Calendars, choose the one that is found, and enter the app password when asked.',
        'Tick “Offline support”, so that only changes are fetched.',
      ],
    },
    {
      name: 'Android (DAVx⁵)',
      steps: [
        'Press + and choose “Login with URL and user name”.',
        `Base URL: ${server}`,
        `User name: ${email}`,
        'Password: the app password.',
        'Tick the calendar under CalDAV. It then appears in any calendar app on the phone.',
      ],
    },
    {
      name: 'Evolution and GNOME',
      steps: [
        'Evolution: File › New › Calendar, type CalDAV.',
        `URL: ${server}`,
        `User: ${email}; then Find Calendars, and the app password when asked.`,
        'GNOME: Settings › Online Accounts › Calendar, Contacts and Files (WebDAV), with the same details.',
      ],
    },
    {
      name: 'vdirsyncer',
      steps: ['In its configuration file, with the app password in your keyring:'],
      code: `[storage calendar]
type = "caldav"
url = "${server}"
username = "${email}"
password.fetch = ["command", "secret-tool", "lookup", "service", "daybook"]`,
    },
  ],

  feedsTitle: 'Feed links',
  feedsLead:
    'A feed link lets an app that cannot sign in, such as Google Calendar, show this calendar. Anyone who has the link can use it, so treat it like a password.',
  feedHint: 'For example: Google Calendar.',
  detail: 'What it shows',
  details: {
    full: 'Everything, including the details of private events',
    masked: 'What the public sees: private events only as “Private Event”',
  },
  detailChoices: { full: 'Everything', masked: 'What the public sees' },
  detailHints: {
    full: 'Including the details of private events.',
    masked: 'Private events only as “Private Event”.',
  },
  category: 'Only this category',
  makeFeed: 'Create a link',
  feedMade: (name: string) => `The link for “${name}”`,
  feedAddress: 'Address to subscribe to',
  feedsYours: 'Your links',
  feedGoes: (name: string) => `Apps that use “${name}” will stop receiving events at once.`,
  onlyCategory: (category: string) => `Only “${category}”`,
  rename: 'Rename',
  renameNamed: (name: string) => `Rename ${name}`,
  renameTitle: (name: string) => `Rename “${name}”`,

  tokensTitle: 'API tokens',
  tokensLead:
    'For programs you write or run yourself. A token can do only what you tick here, and never more than you can.',
  apiDocs: 'How to use the API',
  tokenHint: 'For example: our website.',
  scopesLabel: 'What it may do',
  scopes: {
    'events:read': 'Read all events, including private ones',
    'events:write': 'Add, change and delete events',
    admin: 'Administer: people, import, export',
  },
  scopesNeeded: 'Tick at least one.',
  expiry: 'Valid for',
  expiries: { '30': '30 days', '90': '90 days', '365': 'a year', '730': 'two years' },
  makeToken: 'Create a token',
  tokenLabel: 'Token',
  tokenMade: (name: string) => `The token “${name}”`,
  tokensYours: 'Your tokens',
  tokenGoes: (name: string) => `Programs that use “${name}” will lose access at once.`,
  endsWith: (last: string) => `Ends in …${last}`,
  expires: (when: string) => `Valid until ${when}`,
  expired: (when: string) => `Expired ${when}`,

  sessions: 'Sessions',
  sessionsTitle: 'Where I am signed in',
  sessionsLead: 'If you do not recognise one of these, end it and change your password.',
  sessionsYours: 'Your sessions',
  current: 'This browser',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  someBrowser: 'An unknown browser',
  signedInAt: (when: string) => `Signed in ${when}`,
  lastSeen: (when: string) => `last used ${when}`,
  from: (network: string) => `From network ${network}`,
  endsAt: (when: string) => `Expires ${when} if not used`,
  end: 'End',
  endNamed: (name: string) => `End ${name}`,
  ended: 'The session has ended.',
  endOthers: 'End all other sessions',
  othersEnded: 'All other sessions have ended.',
  noOthers: 'You are not signed in anywhere else.',
}

/** The trash page. */
export const trash = {
  title: 'Trash',
  lead: 'Deleted events can be restored until they are deleted for good.',
  notKept: 'Deleted events are not kept in this calendar.',
  nothing: 'The trash is empty.',
  nothingFound: 'The trash has no such events.',
  deletedBy: 'Deleted by',
  anyone: 'Anyone',
  you: (name: string) => `${name} (you)`,
  someone: 'The selected account',
  deletedSince: 'Deleted since',
  apply: 'Show',
  onlyWith: (withWhat: string) => `Only events deleted ${withWhat}.`,
  onlyOne: 'Only events deleted with one device or program.',
  onlyUntil: (time: string) => `Only events deleted before ${time}.`,
  showAll: 'Show all deleted events',
  selectAll: (count: number) => `Select all ${count} on this page`,
  select: (title: string) => `Select: ${title}`,
  noneSelected: 'Restore selected',
  restoreSelected: (count: number) => `Restore ${count} selected`,
  restoreAll: (count: number) => `Restore all ${count} of these…`,
  restoreSure: (count: number) =>
    count === 1 ? 'One event will be restored for everyone.' : `${count} events will be restored for everyone.`,
  restoreYes: (count: number) => (count === 1 ? 'Yes, restore it' : `Yes, restore ${count}`),
  wouldConflict: (count: number) =>
    count === 1
      ? 'One more stays in the trash, because it was created again meanwhile.'
      : `${count} more stay in the trash, because they were created again meanwhile.`,
  restored: (count: number) => (count === 1 ? 'One event was restored.' : `${count} events were restored.`),
  conflicts: (count: number) =>
    count === 1
      ? 'One is still in the trash, because it was created again meanwhile.'
      : `${count} are still in the trash, because they were created again meanwhile.`,
  notFound: (count: number) => `${count} had already been restored or deleted for good.`,
  notStored: (count: number) => `${count} could not be restored. Try again.`,
  restore: 'Restore',
  replace: 'Restore this version',
  replacedNote: 'The event was created again meanwhile. Restoring this version moves that one to the trash.',
  showOther: 'Show it',
  refusals: { event_not_found: 'This event has already been restored or deleted for good.' } as Record<string, string>,
  deleted: 'Deleted on',
  until: 'Can be restored until',
  by: (entry: DeletedWithWords) => `by ${entry.deleted_by_name ?? 'a deleted account'} ${withWords(entry)}`,
  withWords,
  sameSince: (entry: DeletedWithWords) => {
    if (entry.credential_name !== null) return `Everything “${entry.credential_name}” deleted since then`
    return SAME_SINCE[entry.deleted_with]
  },
  empty: 'Empty the trash…',
  emptySure: (count: number) =>
    count === 1
      ? 'The event in the trash will be deleted for good. This cannot be undone.'
      : `All ${count} events in the trash will be deleted for good. This cannot be undone.`,
  emptyYes: 'Yes, empty the trash',
  emptied: 'The trash has been emptied.',
}

interface DeletedWithWords {
  deleted_by_name: string | null
  deleted_with: 'session' | 'password' | 'app_password' | 'token' | 'operator'
  credential_name: string | null
}

const SAME_SINCE = {
  session: 'Everything the same browser deleted since then',
  password: 'Everything deleted with that password since then',
  app_password: 'Everything the same device deleted since then',
  token: 'Everything the same token deleted since then',
  operator: 'Everything deleted on the server since then',
}

/** Says with which credential something was deleted. */
function withWords({ deleted_with: proof, credential_name: name }: DeletedWithWords): string {
  switch (proof) {
    case 'session':
      return 'on these pages'
    case 'password':
      return 'with the account password'
    case 'app_password':
      return name === null ? 'with an app password that no longer exists' : `with the app password “${name}”`
    case 'token':
      return name === null ? 'with an API token that no longer exists' : `with the API token “${name}”`
    case 'operator':
      return 'by a command on the server'
  }
}

/** The history of an event. */
export const history = {
  open: 'History',
  title: 'History',
  lead: 'What each change made of the event. Earlier versions can be restored until they are deleted for good.',
  of: 'History of',
  notKept: 'Earlier versions of events are not kept in this calendar.',
  notFound: 'This event was deleted.',
  inTrash: 'It can be restored from the trash.',
  version: (version: number) => `Version ${version}`,
  current: 'current version',
  by: ({ by_name, with: proof, credential_name }: MadeWithWords) => {
    if (proof === 'service') return 'automatically'
    const who = proof === 'operator' ? '' : `by ${by_name ?? 'a deleted account'}`
    const means = proof === null ? '' : withWords({ deleted_by_name: by_name, deleted_with: proof, credential_name })
    return [who, means].filter(Boolean).join(' ')
  },
  created: 'Created',
  changed: 'Changed',
  through: { import: 'Imported', restore: 'Restored', rewind: 'Rewound with the calendar' },
  deletedThen: 'Then deleted, and restored later.',
  unknown: 'The version before this one is not kept.',
  tooLong: 'The changes are too long to be listed here. Compare the version to see them.',
  nothing: 'Nothing in the event changed.',
  more: (count: number) => (count === 1 ? 'One more change' : `${count} more changes`),
  compare: 'Compare',
  hide: 'Hide',
  compareLabel: (version: number) => `Compare version ${version} with the current one`,
  hideLabel: (version: number) => `Hide the comparison of version ${version}`,
  same: 'This version is the same as the current one.',
  field: 'Field',
  earlier: 'In this version',
  now: 'Now',
  none: 'none',
  restore: 'Restore this version…',
  restoreSure: 'The event becomes what it was in this version, for everyone. What it is now stays in its history.',
  publishes: 'It becomes public: everyone sees its text.',
  restoreYes: 'Yes, restore it',
  restored: 'The version has been restored.',
  stale: 'The event was changed meanwhile. Look at its newest version first.',
  fields: {
    title: 'Title',
    start: 'Start',
    end: 'End',
    all_day: 'All day',
    timezone: 'Time zone',
    rrule: 'Repetition',
    rdates: 'Extra dates',
    location: 'Location',
    description: 'Description',
    category: 'Category',
    url: 'Link',
    status: 'Status',
    visibility: 'Who may see it',
    transparency: 'Time shown as',
    other: 'Other details, such as reminders',
  } as Record<string, string>,
  visibilities: { public: 'everyone (public)', private: 'only people who may read the calendar (private)' },
  date: (when: string) => `Date of ${when}`,
  moved: (before: string, after: string) => `Moved from ${before} to ${after}`,
  movedTo: (after: string) => `moved to ${after}`,
  movedBack: 'at the time of the series again',
  fieldChanged: (field: string, before: string, after: string) => `${field} changed from ${before} to ${after}`,
  fieldAdded: (field: string, after: string) => `${field} added: ${after}`,
  fieldRemoved: (field: string, before: string) => `${field} removed: ${before}`,
  fieldSet: (field: string, after: string) => `${field} is now ${after}`,
  fieldOfSeries: (field: string) => `${field} as in the series again`,
  otherChanged: 'Other details changed, such as reminders',
  madePublic: 'Made public',
  madePrivate: 'Made private',
  dateDeleted: (when: string) => `Date of ${when} deleted`,
  dateRestored: (when: string) => `Date of ${when} as in the series again`,
  dateEdited: (when: string, what: string) => `Date of ${when} changed: ${what}`,
  dateStates: { deleted: 'deleted', series: 'as in the series', edited: 'changed' },
}

interface RewoundWords {
  deleted: number
  changed: number
  restored: number
  skipped: number
  dry_run: boolean
}

interface MadeWithWords {
  by_name: string | null
  with: DeletedWithWords['deleted_with'] | 'service' | null
  credential_name: string | null
}

/** The event editor. */
export const editor = {
  newTitle: 'New event',
  editTitle: 'Edit event',
  editDateTitle: 'Edit one date',
  editFollowingTitle: 'Edit this and following dates',
  copyTitle: 'Copy of an event',
  copied: (title: string) => `This is a copy of “${title}”. Nothing is saved yet.`,
  forWriters: 'You need permission to add and edit events in this calendar.',
  signInFirst: 'Sign in to add and edit events.',
  notThere: 'This event does not exist, or has been deleted.',
  again: 'Try again',

  // The form.
  title: 'Title',
  when: 'When',
  allDay: 'All day',
  startDate: 'Start date',
  startTime: 'Start time',
  endDate: 'End date',
  endTime: 'End time',
  zone: 'Time zone',
  zoneIs: (zone: string) => `Times are local times in ${zone}.`,
  zoneHint: 'Type a city to find its time zone. The times above are local times there.',
  nextDay: 'On the next day.',
  gap: (zone: string) => `In ${zone} the clocks go forward on this day, and this time does not exist.`,
  gapSaved: (start: string, end: string) => `It will be saved as ${start} to ${end}.`,
  location: 'Place',
  category: 'Category',
  description: 'Description',
  url: 'Web address',
  urlHint: 'Begins with https://',
  visibility: 'Who may see it',
  public: 'Public',
  publicMeans: 'Everyone can see all its details.',
  private: 'Private',
  privateMeans: 'The public sees only that the time is taken.',
  status: 'Status',
  statuses: { confirmed: 'Confirmed', tentative: 'Not yet confirmed', cancelled: 'Cancelled' },
  transparency: 'Show the time as',
  transparencies: { opaque: 'Busy', transparent: 'Free' },
  save: 'Save',
  saving: 'Saving…',
  moreOptions: 'More options',
  quickPublic: 'Everyone will see all its details.',
  quickPrivate: 'The public will see only that the time is taken.',
  duplicate: 'Duplicate',
  saved: 'Saved.',
  showSaved: 'Show the event',
  droppedDates: (done: string, count: number) =>
    count === 1
      ? `${done} One changed or removed date no longer fits the series and was dropped.`
      : `${done} ${count} changed or removed dates no longer fit the series and were dropped.`,
  seriesHas: (visibility: 'public' | 'private') =>
    `The series is ${visibility}. Its visibility, repetition and time zone apply to all its dates.`,
  followingHas: (visibility: 'public' | 'private') =>
    `The series is ${visibility}. Its visibility and its extra dates apply to all its dates.`,
  toSeries: 'Edit the whole series',

  // Repeating.
  repeat: 'Repetition',
  repeats: 'Repeats',
  repeatKinds: {
    none: 'Does not repeat',
    DAILY: 'Every day',
    WEEKLY: 'Every week',
    MONTHLY: 'Every month',
    YEARLY: 'Every year',
    custom: 'Custom rule (advanced)',
  },
  interval: 'Interval',
  intervalUnits: { DAILY: 'days', WEEKLY: 'weeks', MONTHLY: 'months', YEARLY: 'years' },
  intervalOf: (unit: string) => `Repeat every … ${unit}`,
  onDays: 'On these days',
  onWhich: 'On which day',
  onDay: (day: string) => `On the ${day}`,
  onDate: (date: string) => `On ${date}`,
  onLastDay: 'On the last day of the month',
  onPlace: (which: string, day: string) => `On the ${which} ${day}`,
  shortMonths: 'Months without this day are skipped.',
  ends: 'Ends',
  endKinds: { never: 'Never', until: 'On a date', count: 'After a number of occurrences' },
  untilDate: 'Last day',
  count: 'Number of occurrences',
  openSteps: {
    interval: 'Enter a whole number, 1 or more.',
    until: 'Choose the last day.',
    count: 'Enter a whole number, 1 or more.',
  },
  ruleText: 'Rule',
  ruleHint: 'An RRULE as in RFC 5545, such as FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2.',
  inWords: (rule: string) => `Repeats ${rule}.`,
  inCustomWords: 'Follows a custom rule.',
  nextDates: 'The first dates',
  comingDates: 'The next dates',
  noDates: 'There are no more dates.',
  extraDates: 'Extra dates',
  addDate: 'Add a date',
  dateToAdd: 'Date to add',
  removeDate: (date: string) => `Remove ${date}`,

  // One date or all of them.
  whichTitle: 'This event repeats',
  which: 'What do you want to edit?',
  oneDate: 'This date only',
  oneDateMeans: (date: string) => `${date}. All other dates stay as they are.`,
  followingDates: 'This and following dates',
  followingDatesMeans: 'This date and all later ones. Earlier dates stay as they are.',
  allDates: 'The whole series',
  allDatesMeans: (rule: string) => `All dates: ${rule}.`,
  leftOut: 'Removed dates',
  bringBack: 'Restore',
  bringBackDate: (date: string) => `Restore ${date}`,
  changed: 'Changed dates',
  undoChange: 'Undo the change',
  undoChangeOf: (date: string) => `Undo the change to ${date}`,
  movedTo: (date: string) => `moved to ${date}`,
  called: (title: string) => `“${title}”`,
  wordsChanged: 'with its own details',
  broughtBack: 'The date has been restored.',
  followingBroughtBack: 'The dates have been restored.',
  eventBroughtBack: 'The event has been restored.',
  changeUndone: 'The date follows the series again.',

  // Deleting.
  deleteEvent: 'Delete event',
  deleteSeries: 'Delete the whole series',
  deleteDate: 'Delete this date',
  deleteFollowing: 'Delete this and following dates',
  deleteTitle: 'Delete this event?',
  deleteSeriesTitle: 'Delete the whole series?',
  deleteSure: (title: string) => `“${title}” will be deleted for everyone.`,
  deleteSeriesSure: (title: string) =>
    `All dates of “${title}” will be deleted for everyone. To delete just one date, open that date.`,
  deleteWhich: 'This event repeats. What do you want to delete?',
  deleteFinal: 'This cannot be undone.',
  deleteAllSure: (title: string) => `All dates of “${title}” will be deleted for everyone.`,
  deleteYes: 'Yes, delete it',
  deleted: 'Deleted.',
  dateDeleted: 'The date has been removed from the series.',
  followingDeleted: 'This date and all later ones have been removed.',

  // Leaving, and coming back.
  leaveTitle: 'Leave without saving?',
  leave: 'Your changes are not saved yet.',
  leaveYes: 'Leave without saving',
  leaveNo: 'Stay here',
  draftFound: 'You have an unsaved draft.',
  draftTake: 'Continue with the draft',
  draftDrop: 'Discard the draft',

  // Edit conflicts.
  conflictTitle: 'Someone else changed this event',
  conflict: 'Choose what to keep. Your changes are still here, and nothing is saved until you save your choice.',
  conflictDates: (dates: string) =>
    `Single dates were changed as well: ${dates}. Saving another time or rule can drop those changes.`,
  mine: 'Yours',
  theirs: 'Theirs',
  allMine: 'All of yours',
  allTheirs: 'All of theirs',
  same: 'The same in both',
  differs: 'differs',
  empty: 'empty',
  saveChoice: 'Save my choice',
  backToForm: 'Back to the form',
  goneTitle: 'This event was deleted',
  gone: 'Someone deleted it while you were editing. Your changes are still here.',
  createAnew: 'Create it again',
  goneDateTitle: 'This date was removed',
  goneDate: 'Someone removed it from the series while you were editing. Your changes are still here.',
  bringBackSave: 'Restore the date with my changes',
  createAlone: 'Save it as a separate event',

  // Moving on the grid.
  moveTitle: 'Move this event',
  moveOne: 'This date only',
  moveFollowing: 'This and following dates',
  moveAll: 'All dates',
  move: (title: string) => `“${title}” repeats. What do you want to move?`,
  moved: 'Moved.',
  movedBack: 'Moved back.',
  moveConflict: 'Someone else has changed this event. The latest version is shown; move it again if you like.',
  moveCustom: 'This series follows a custom rule. Open it to move all its dates.',
  moveShape: 'Some dates of a series cannot change between all-day and timed. Move all of them.',
}

/** The administration pages. */
export const admin = {
  requests: 'Requests',
  people: 'People',
  rewind: 'Rewind',
  transfer: 'Import and export',
  health: 'Health',
  diagnostics: 'Diagnostics',
  audit: 'Audit trail',
  settings: 'Settings',
  categories: 'Categories',
  waiting: (count: number) => (count === 1 ? '1 request waiting' : `${count} requests waiting`),
  forbiddenTitle: 'For administrators only',
  forbidden: 'Your account does not have access to this page. Ask an administrator, or sign in with another account.',
  forbiddenSignedOut: 'Sign in as an administrator to open this page.',
  again: 'Try again',
  previous: 'Previous page',
  next: 'Next page',
  pages: 'Pages',
  pageOf: (page: number, pages: number, total: number) => `Page ${page} of ${pages}, ${total} in all`,
  none: 'none',
  never: 'never',
  deletedAccount: 'someone whose account has been deleted',
  changedMeanwhile: (name: string) =>
    `Someone else has just changed ${name}, so nothing was done. The latest state is shown; please decide again.`,
  goneMeanwhile: (name: string) => `${name} no longer exists: someone else has deleted the account.`,
  lastAdmin:
    'This is the last administrator who can sign in. Without one, no requests could be approved, so make someone else an administrator first.',
  roles: { reader: 'Reader', writer: 'Writer', admin: 'Administrator' } as Record<string, string>,
  roleHints: {
    reader: 'Sees everything, including private events.',
    writer: 'Sees, adds and changes all events.',
    admin: 'Sees, adds and changes all events, and manages accounts.',
  } as Record<string, string>,
  states: {
    pending_approval: 'Waiting',
    approved: 'Approved',
    rejected: 'Rejected',
    suspended: 'Suspended',
  } as Record<string, string>,
  role: 'Role',
  state: 'State',
  requestsPage: {
    title: 'Requests waiting',
    empty: 'No one is waiting. New requests appear here, and “Administration” shows how many there are.',
    since: 'Since',
    verified: 'Address verified',
    unverified: 'Address not verified yet',
    unverifiedHint: 'The link in the email has not been used yet. You can decide anyway.',
    select: (name: string) => `Select ${name}`,
    selectAll: (count: number) => `Select all ${count} on this page`,
    rejectSelected: (count: number) =>
      count === 1 ? 'Reject the selected request' : `Reject ${count} selected requests`,
    noneSelected: 'Reject selected requests',
    rejectSure: (count: number) =>
      count === 1 ? 'Reject this request? No email is sent.' : `Reject these ${count} requests? No emails are sent.`,
    rejectOne: (name: string) => `Reject the request of ${name}? No email is sent.`,
    rejectOneMailed: (name: string) => `Reject the request of ${name}? They will be told by email.`,
    rejectYes: 'Yes, reject',
    manyRejected: (count: number) =>
      count === 1 ? '1 request has been rejected.' : `${count} requests have been rejected.`,
    notRejected: (count: number) =>
      count === 1
        ? 'Another administrator has already decided one of them.'
        : `Another administrator has already decided ${count} of them.`,
    requestedAgain: (count: number) => (count === 2 ? 'Requested twice, last' : `Requested ${count} times, last`),
    unknownTime: 'at an unknown time',
    disputed:
      'The requests may come from different people. The name, message and password are those of the first one. If you approve it, that password stops working, and a link to choose a new one is sent to the address.',
    linkSent: {
      mail: (name: string) =>
        `The password of ${name} no longer works. A link to choose a new one is on its way to the address.`,
      file: (name: string) =>
        `The password of ${name} no longer works. There is no mail server, so the link to choose a new one is a file in the folder “mail” of the data folder. Give it to the right person; it works for a day.`,
    } as Record<string, (name: string) => string>,
    message: 'Their message',
    noMessage: 'No message.',
    approve: 'Approve',
    reject: 'Reject',
    notify: 'Tell them by email',
    noMail:
      'No mail server is set, so nobody receives email from this calendar: neither those who ask for an account, nor those who have forgotten their password. Mails are files in the folder “mail” of the data folder. Tell people yourself, and set smtp_url.',
    approvedToast: (name: string) => `${name} has been approved.`,
    rejectedToast: (name: string) => `${name} has been rejected.`,
  },
  peoplePage: {
    search: 'Search',
    searchHint: 'The start of a name or an email address.',
    anyState: 'Any state',
    anyRole: 'Any role',
    empty: 'No one was found.',
    you: 'you',
    lastLogin: 'Last signed in',
    since: 'Account since',
    decided: 'Last decision',
    noPassword: 'No password yet: the link to choose one has not been used.',
    manage: 'Manage',
    manageLabel: (name: string) => `Manage ${name}`,
    unverified: 'address not verified',
    verified: 'address verified',
    roleHint: 'Changing the role signs the person out everywhere.',
    saveRole: 'Change role',
    ownPasswordHint: 'To make another administrator, who can do everything that you can.',
    sessionsHead: 'Sign out everywhere',
    sessionsHint: 'Ends every session. App passwords and tokens keep working.',
    endSessions: 'End all sessions',
    deleteHead: 'Delete the account',
    deleteHint: 'Also deletes their sessions, app passwords, tokens and feed links. Events stay.',
    deleteSure: (name: string) => `Delete ${name} for good? This cannot be undone.`,
    deleteYes: 'Yes, delete',
    steps: {
      approved: { pending_approval: 'Approve', rejected: 'Approve after all', suspended: 'Reinstate' },
      rejected: { pending_approval: 'Reject' },
      suspended: { approved: 'Suspend' },
      pending_approval: { rejected: 'Move back to waiting' },
    } as Record<string, Record<string, string>>,
    done: {
      role: (name: string, role: string) => `${name}: the role is now ${role}.`,
      state: (name: string, state: string) => `${name}: ${state}.`,
      sessions: (name: string) => `${name} has been signed out everywhere.`,
      deleted: (name: string) => `${name} has been deleted.`,
    },
  },
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
  auditPage: {
    lead: 'Actions by administrators, and events that matter for security. Sign-ins are kept for 90 days, the rest permanently.',
    action: 'What happened',
    anyAction: 'Everything',
    person: 'Person',
    anyPerson: 'Everyone',
    empty: 'There are no entries of this kind.',
    by: 'by',
    to: 'about',
    noActor: 'someone not signed in, or the operator of the server',
    detail: {
      approval_state: 'state',
      role: 'role',
      email_verified: 'address verified',
      display_name: 'name',
      count: 'number',
      created: 'new',
      updated: 'changed',
      unchanged: 'unchanged',
      skipped: 'skipped',
      restored: 'restored',
      uid_conflict: 'not restored, because another event has the UID',
      not_found: 'restored or deleted for good before',
      not_stored: 'could not be stored',
      deleted: 'deleted',
      changed: 'changed back',
      to: 'as it was on',
      deleted_with: 'deleted with',
      credential_id: 'credential',
      since: 'deleted since',
      until: 'deleted until',
      event_ids: 'selected',
      changed_with: 'with',
      limit: 'limit',
      code: 'reason',
      method: 'method',
      kind: 'kind',
      accepted: 'accepted',
    } as Record<string, string>,
    unset: 'default',
    actions: {
      user_registered: 'Requested an account',
      email_verified: 'Verified their address',
      user_changed: 'Changed an account',
      user_deleted: 'Deleted an account',
      unproven_users_removed: 'Old requests without a verified address removed',
      user_sessions_ended: 'Signed someone out everywhere',
      account_created_by_operator: 'Account created on the server',
      setup_completed: 'Calendar set up',
      setting_changed: 'Changed a setting',
      test_mail_sent: 'Sent a test mail',
      login_succeeded: 'Signed in',
      login_failed: 'Wrong password or address',
      login_refused: 'Correct password, but the account is not active',
      logged_out: 'Signed out',
      password_changed: 'Changed their password',
      password_reset: 'Password reset',
      password_invalidated: 'Password revoked, because the account was requested more than once',
      token_refused: 'Invalid or expired link or setup code',
      session_ended: 'Ended a session',
      all_sessions_ended: 'Ended all their sessions',
      app_password_created: 'Created an app password',
      app_password_deleted: 'Deleted an app password',
      api_token_created: 'Created an API token',
      api_token_deleted: 'Deleted an API token',
      feed_link_created: 'Created a feed link',
      feed_link_deleted: 'Deleted a feed link',
      calendar_imported: 'Imported a calendar file',
      calendar_exported: 'Exported the calendar',
      trash_emptied: 'Emptied the trash',
      calendar_rewound: 'Rewound the calendar',
      category_created: 'Added a category',
      category_changed: 'Changed a category',
      category_renamed: 'Renamed a category',
      category_deleted: 'Deleted a category',
      trash_restored: 'Restored deleted events',
      bulk_changes_slowed: 'Deleted or changed very many events in a short time',
      credentials_in_clear: 'Credentials sent over plain http',
      credential_revoked: 'Credentials revoked, because they were sent over plain http',
      access_denied: 'Access denied',
    } as Record<string, string>,
  },
  categoriesPage: {
    lead: 'Categories give events a colour and an order. Anyone who writes events can still type any other category; it is shown without a colour of its own until you adopt it here.',
    add: 'Add a category',
    addTitle: 'Add a category',
    edit: 'Edit',
    editNamed: (name: string) => `Edit ${name}`,
    editTitle: (name: string) => `Edit “${name}”`,
    managed: 'Your categories',
    noneYet: 'There are none yet.',
    internal: 'internal',
    renaming: 'Some events still have the old name. The service will change them shortly.',
    up: (name: string) => `Move ${name} up`,
    down: (name: string) => `Move ${name} down`,
    moved: (name: string, place: number) => `“${name}” is now number ${place}.`,
    saved: (name: string) => `“${name}” has been saved.`,
    deleteNamed: (name: string) => `Delete ${name}`,
    deleteTitle: (name: string) => `Delete “${name}”?`,
    deleteWarning: 'Events keep the word and are shown without its colour.',
    deleted: (name: string) => `“${name}” has been deleted.`,
    free: 'Other categories in use',
    freeLead: 'Events have these too. Adopt one to give it a colour; the events stay as they are.',
    adopt: 'Adopt',
    adoptNamed: (name: string) => `Adopt ${name}`,
    adoptAs: (name: string) => `Adopt ${name} and choose its colour`,
    choose: 'Choose colour…',
    adopted: (name: string) => `“${name}” has been adopted.`,
    truncated: 'There are more, which fewer events have.',
    name: 'Name',
    renameHint: (count: number) =>
      count === 1 ? 'The event that has it will get the new name.' : `All ${count} events will get the new name.`,
    renamingNow: 'Changing the name in all events…',
    color: 'Colour',
    colorHint: 'Any colour. Pages show the nearest shade that is easy to read, here by day and by night.',
    description: 'Description',
    internalLabel: 'Internal',
    internalHint:
      'The public sees neither the category nor its name: its events appear without a category to anyone who is not signed in.',
    refusals: { category_exists: 'There is already a category with this name.' } as Record<string, string>,
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
      week_start: { label: 'The week begins on', hint: '' },
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

/** The first run. */
export const setup = {
  title: 'Welcome to Daybook',
  lead: 'Your calendar will be ready in two minutes: create your account and name the calendar.',
  you: 'You, the administrator',
  emailHint: 'You sign in with it. Only administrators can see it.',
  name: 'Your name',
  calendar: 'The calendar',
  siteName: 'Name of the calendar',
  zone: 'Time zone',
  zoneHint: 'Used for dates and times without a time zone of their own. For example: Europe/London.',
  weekStart: 'The week begins on',
  submit: 'Set up the calendar',
  codeWrong:
    'The code in this link is wrong, has already been used, or has expired. The latest link is printed where Daybook was started; start it again to get a new one.',
  doneTitle: 'This calendar is already set up',
  done: 'It has an administrator, so there is nothing to do here.',
  noCodeTitle: 'This link is incomplete',
  noCode: [
    'This calendar has no administrator yet. To become one, open the full link that was printed where Daybook was started. It ends in:',
    'Cannot find it? Start Daybook again, and it prints a new one.',
    'Or run this on the server:',
  ],
  readyTitle: 'Your calendar is ready',
  ready: 'You are its administrator, and you are signed in.',
  kept: (names: string) =>
    `Your choice was not applied, because the operator has fixed this in the server’s settings: ${names}.`,
  next: 'What next?',
  toCalendar: 'Open the calendar',
  toImport: 'Import events from another calendar',
  demo: 'Just looking around? This command fills the calendar with the events of a community centre:',
}

/** The page about embedding. */
export const embed = {
  title: 'Embed this calendar',
  lead: 'Show this calendar on any web page: copy two lines and paste them where it should appear. Visitors get no cookies, and private events show only their time.',
  choices: 'What should it show?',
  theme: 'Colours',
  themes: [
    ['', 'Same as the page'],
    ['light', 'Light'],
    ['dark', 'Dark'],
  ] as const,
  limit: 'How many events',
  upcomingTitle: 'Coming up',
  upcomingAbout: 'A short list for a sidebar or a front page. It is only a few kilobytes.',
  calendarTitle: 'The whole calendar',
  calendarAbout: 'Month, week, day, list or year, with its own buttons. The grid is loaded only where it is used.',
  code: 'Copy this into your page',
  frameTitle: 'As a frame',
  frameAbout:
    'For sites that do not allow scripts. Your site must be listed in the setting embed_sites; ask the person who runs this calendar.',
  wordpressTitle: 'WordPress',
  wordpressAbout:
    'Put this into the functions.php of your child theme, or into a small plugin. It needs WordPress 6.5.',
  wordpressCode: 'For functions.php',
  wordpressUse: 'Then put this where the list should appear, in any page, post or text widget:',
  shortcode: 'Shortcode',
  lookTitle: 'Colours and fonts',
  lookAbout: 'Set these custom properties in your site’s style sheet, on the element or anything around it.',
  properties: [
    ['--daybook-ink', 'Text'],
    ['--daybook-muted', 'Less important text'],
    ['--daybook-accent', 'Links, buttons, today'],
    ['--daybook-paper', 'Background'],
    ['--daybook-card', 'Background of the grid'],
    ['--daybook-line', 'Lines'],
    ['--daybook-font', 'Font, as in the CSS property font'],
  ] as const,
}

/** By error code; any other code is `unknown`. */
export const errors = {
  unknown: 'Something went wrong. Try again later.',
  offline: 'The server cannot be reached right now. Check your connection and try again.',
  rate_limited: 'Too many attempts. Wait a while and try again.',
  another_person: 'Someone else is signed in on this browser now. Nothing was sent.',
  credential_not_found: 'This no longer exists.',
  session_expired: 'You were signed out. Sign in again to continue; nothing you typed is lost.',
  authentication_required: 'Sign in first.',
  invalid_credentials: 'The email address or the password is wrong.',
  insufficient_capability: 'Your account does not have permission to do this.',
  admin_required: 'Only administrators can do this.',
  account_pending: 'Your account is still waiting for an administrator.',
  account_rejected: 'An administrator has declined this account.',
  account_suspended: 'This account is suspended. Ask an administrator.',
  email_not_verified: 'Your email address is not verified yet. Use the link in the email we sent.',
  registration_closed: 'This calendar accepts no requests for accounts at the moment.',
  https_required: 'This page needs a secure connection. Open it with https.',
  token_invalid_or_expired: 'This link has already been used, or has expired.',
  validation_failed: 'Please check the marked fields.',
  version_mismatch: 'Someone else has changed this in the meantime.',
  event_not_found: 'This event no longer exists.',
  version_not_found: 'This version is no longer kept.',
  occurrence_not_found: 'This date is not part of the series.',
  invalid_occurrence_key: 'This date is not part of the series.',
  exception_not_found: 'There is nothing to undo on this date.',
  event_not_recurring: 'This event no longer repeats.',
  user_not_found: 'This account no longer exists.',
  email_taken: 'This address already has an account.',
  body_too_large: 'This file is too large.',
  too_many_exceptions: 'This series has reached its limit of changed dates.',
  too_many_overrides:
    'More than 1,000 dates would have to be changed one by one. Change the whole series, or delete this and the following dates and create a new event for them.',
  event_too_large: 'This event has too much text, counting all of its changed dates.',
  last_admin: 'This is the last administrator; make another one first.',
  invalid_state_transition: 'The current state of the account does not allow this.',
  service_unavailable: 'The server is busy. Try again in a moment.',
  storage_unavailable: 'The database cannot be reached right now. Try again in a moment.',
} as Record<string, string>

/** By the code of a field error. */
export const fields = {
  required: 'Please fill this in.',
  invalid_type: 'This is not valid.',
  invalid_format: 'This does not look right.',
  too_short: 'Please fill this in.',
  too_long: 'This is too long.',
  out_of_range: 'This is out of range.',
  not_allowed: 'This value is not allowed here.',
  timezone_unknown: 'There is no such time zone.',
  end_before_start: 'The end must come after the start.',
  range_too_large: 'This period is too long.',
  rrule_invalid: 'This repetition is not valid.',
  rrule_unsupported: 'This kind of repetition is not supported.',
  rrule_no_occurrences: 'This repetition has no dates.',
  password_common: 'This password is easy to guess. Choose another.',
  set_by_operator: 'The operator has set this on the server.',
  url_scheme: 'Web addresses begin with http:// or https://.',
} as Record<string, string>

/** Text of the embed script; a separate export, so that the other sections are not bundled into it. */
export const embedded = {
  loading: 'Loading…',
  nothing: 'There are no upcoming events.',
  unreachable: 'The calendar cannot be reached right now.',
  tryAgain: 'Try again',
  upcoming: 'Coming up',
  calendar: 'Calendar',
  zone: (name: string) => `Times in ${name}`,
  privateEvent: 'Private Event',
}

function waitInWords(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? 'a second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
