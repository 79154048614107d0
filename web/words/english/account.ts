// Words of sign-in, registration and the account pages in British English.

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
  mailLanguage: 'Language of emails',
  mailLanguageLead:
    'Emails to you are written in this language. The pages follow your browser, or your choice at the end of each page.',
  mailLanguageSaved: 'The language has been saved.',
  calendarLanguage: 'The calendar’s language',
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
