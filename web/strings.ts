// Every word people read in the browser, in one place, ready for another language.

export const words = {
  frame: {
    skip: 'Skip to content',
    ways: 'Main',
    signIn: 'Sign in',
    signOut: 'Sign out',
    account: 'My account',
    admin: 'Administration',
    newEvent: 'New event',
    missingTitle: 'There is no such page',
    missing: 'The address may be mistyped, or the page has moved.',
    toCalendar: 'To the calendar',
    brokenTitle: 'This page could not be loaded',
    broken: 'The connection may be gone, or Daybook was updated a moment ago.',
    tryAgain: 'Try again',
  },
  common: {
    loading: 'Loading …',
    working: 'One moment …',
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
    tryAgainIn: (seconds: number) => `That was often enough for now. Try again in ${waitInWords(seconds)}.`,
  },
  /** The calendar everybody sees. */
  calendar: {
    title: 'Calendar',
  },
  /** Signing in, registering, and what belongs to one’s own account. */
  account: {
    title: 'My account',
    email: 'Email address',
    password: 'Password',
    newPassword: 'New password',
    showPassword: 'Show password',
    hidePassword: 'Hide password',
    passwordHint: '12 characters or more. A few unrelated words make a good one.',
    passwordProblems: {
      required: 'Choose a password.',
      too_short: 'This password is too short. It needs 12 characters.',
      too_long: 'This is too long. A password may have 128 characters.',
    } as Record<string, string>,
    emailProblems: {
      required: 'Your email address is needed.',
      invalid_format: 'This does not look like an email address.',
    } as Record<string, string>,

    signInFirst: 'This page is for people with an account.',
    stay: 'Stay signed in.',
    stayHint:
      'For up to 30 days; not on a computer others use. Administrators are signed out after two hours without use all the same.',
    forgotten: 'Forgotten your password?',
    noAccount: 'No account yet? Ask for one',
    signedInAs: (email: string) => `You are signed in as ${email}.`,
    carryOn: 'Carry on',
    /** What happens next for somebody who may not come in, by the code of the refusal. */
    refusals: {
      account_pending:
        'Your password is right, and your request is waiting. An administrator will look at it; try again when you have heard from them.',
      account_rejected:
        'An administrator has turned your request down, so you cannot sign in. Ask them if you think that is a mistake.',
      account_suspended:
        'This account is suspended: you cannot sign in until an administrator lets you back in. Ask them why.',
      email_not_verified:
        'Your email address is not verified yet. Open the link in the mail we sent you; if it is too old, use “Forgotten your password?” for a new one.',
    } as Record<string, string>,
    againTitle: 'Please sign in again',
    again: 'You were signed out. The page behind this window is as you left it, and what you were doing goes on.',
    againOther: 'Sign in as somebody else',
    otherTitle: 'Somebody else is signed in here now',
    other: (user: string, other: string) =>
      `This page was opened by ${user}; meanwhile ${other} has signed in on this browser. Nothing you typed here was sent.`,
    otherReload: (other: string) => `Open the page anew as ${other}`,
    otherStay: 'Leave it as it is',

    registerTitle: 'Ask for an account',
    registerLead: 'With an account you see the private events too, and may be allowed to write.',
    steps: [
      'You fill in this form.',
      'We send you a mail; the link in it shows that the address is yours.',
      'An administrator decides, and you can sign in.',
    ],
    displayName: 'Name',
    displayNameHint: 'Others see it beside what you write.',
    message: 'Message to the administrator',
    messageHint: 'Who you are, and what you would like to do here.',
    trap: 'Leave this empty',
    register: 'Send my request',
    proving: 'One moment: your browser works out a small sum, to keep robots away …',
    checkMailTitle: 'Check your mail',
    checkMail: (email: string) => `We have sent a mail to ${email}.`,
    checkMailNext: [
      'Open the link in it within 24 hours and press the button there.',
      'Then an administrator looks at your request. That may take a day or two.',
      'Nothing came? Look among unwanted mail, and whether the address is spelt right.',
    ],
    registerOther: 'Correct the address',

    verifyTitle: 'Verify your email address',
    verifyLead: 'Press the button to say that this address is yours.',
    verify: 'Verify my address',
    verified: 'Your email address is verified.',
    verifiedWaiting:
      'Your email address is verified. An administrator will look at your request; you will hear from them.',
    verifiedPassword:
      'Your email address is verified. It was asked for more than once, so another mail is on its way, to choose your password.',
    incompleteLink: 'This link is not complete. Open it from the mail again.',

    forgotTitle: 'Forgotten password',
    forgotLead: 'If the address belongs to an account, we send a link to choose a new password.',
    sendLink: 'Send me a link',
    linkSent: 'If this address belongs to an account, a mail is on its way. The link in it is good for an hour.',
    resetTitle: 'Choose a new password',
    resetLead: 'It replaces the old one. You will be signed out everywhere, and devices need new app passwords.',
    reset: 'Change my password',
    resetDone: 'Your password is changed. Sign in with the new one.',
    newLink: 'Ask for a new link',

    parts: 'Parts of my account',
    overview: 'Overview',
    role: 'Role',
    roles: {
      reader: 'Reader: sees all events, private ones too',
      writer: 'Writer: sees all events, and adds and changes them',
      admin: 'Administrator: the same, and decides who may come in',
    },
    changeTitle: 'Change my password',
    currentPassword: 'Present password',
    currentProblems: {
      not_allowed: 'This is not your present password.',
      required: 'Your present password is needed.',
    } as Record<string, string>,
    changeLead: 'You will be signed out everywhere else. App passwords, feed links and tokens stay as they are.',
    changed: 'Your password is changed. You were signed out everywhere else.',
    outTitle: 'Sign out everywhere',
    outLead: 'Ends every session of yours, this one too: the thing to do after using a computer that is not yours.',
    out: 'Sign out everywhere',

    name: 'Name',
    neverUsed: 'Never used',
    lastUsed: (when: string) => `Last used ${when}`,
    made: (when: string) => `Made ${when}`,
    shownOnce: 'This is shown only now. Copy it before you go on.',
    tookIt: 'I have it',
    keep: 'Keep it',
    noMore: 'You have as many as there may be. Delete one you do not use any more.',

    devicesTitle: 'App passwords',
    devicesLead:
      'With an app password the calendar program on your phone or computer keeps this calendar, too. Make one for each device; if it is lost, delete its password here and the others go on working.',
    deviceName: 'Device or program',
    deviceHint: 'For example: my phone.',
    makeDevice: 'Make an app password',
    deviceMade: (name: string) => `The app password for “${name}”`,
    devicesYours: 'Your app passwords',
    devicesNone: 'You have none yet.',
    deviceGoes: (name: string) => `“${name}” will be cut off at once. The events it has sent stay in the calendar.`,
    deleted: (name: string) => `“${name}” is deleted.`,
    deleteNamed: (name: string) => `Delete ${name}`,
    deleteTitle: (name: string) => `Delete “${name}”?`,

    guideTitle: 'Set up your program',
    guideLead: 'Whatever the program, these three are all it needs:',
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
          'How often it looks is set under “Fetch New Data”.',
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
          'Find Calendars; choose the one that is found, and enter the app password when asked.',
          'Tick “Offline support”: then only what has changed is fetched.',
        ],
      },
      {
        name: 'Android (DAVx⁵)',
        steps: [
          'Press + and choose “Login with URL and user name”.',
          `Base URL: ${server}`,
          `User name: ${email}`,
          'Password: the app password.',
          'Tick the calendar under CalDAV. It shows in any calendar app of the phone.',
        ],
      },
      {
        name: 'Evolution and GNOME',
        steps: [
          'Evolution: File › New › Calendar, type CalDAV.',
          `URL: ${server}`,
          `User: ${email}; then Find Calendars, and the app password when asked.`,
          'GNOME: Settings › Online Accounts › Calendar, Contacts and Files (WebDAV), with the same three.',
        ],
      },
      {
        name: 'vdirsyncer',
        steps: ['In its settings, with the app password in your keyring:'],
        code: `[storage calendar]
type = "caldav"
url = "${server}"
username = "${email}"
password.fetch = ["command", "secret-tool", "lookup", "service", "daybook"]`,
      },
    ],

    feedsTitle: 'Feed links',
    feedsLead:
      'A feed link lets a program that cannot sign in, such as Google Calendar, show this calendar. Whoever has the link can read it: treat it like a password.',
    feedHint: 'For example: Google Calendar.',
    detail: 'What it shows',
    details: {
      full: 'Everything, private events with their words too',
      masked: 'What the public sees: private events only as “Private Event”',
    },
    category: 'Only this category',
    everyCategory: 'All categories',
    makeFeed: 'Make a link',
    feedMade: (name: string) => `The link for “${name}”`,
    feedAddress: 'Address to subscribe to',
    feedsYours: 'Your links',
    feedsNone: 'You have none yet.',
    feedGoes: (name: string) => `Programs that use “${name}” will get nothing any more, at once.`,
    onlyCategory: (category: string) => `Only “${category}”`,
    rename: 'Rename',
    renameNamed: (name: string) => `Rename ${name}`,
    renameTitle: (name: string) => `Rename “${name}”`,

    tokensTitle: 'API tokens',
    tokensLead:
      'For programs you write or run yourself. A token reaches no further than you tick here, and never further than you.',
    apiDocs: 'How to use the API',
    tokenHint: 'For example: our website.',
    scopesLabel: 'What it may do',
    scopes: {
      'events:read': 'Read all events, private ones too',
      'events:write': 'Add, change and delete events',
      admin: 'Administer: people, import, export',
    },
    scopesNeeded: 'Tick at least one.',
    expiry: 'Good for',
    expiries: { '30': '30 days', '90': '90 days', '365': 'a year', '730': 'two years' },
    makeToken: 'Make a token',
    tokenLabel: 'Token',
    tokenMade: (name: string) => `The token “${name}”`,
    tokensYours: 'Your tokens',
    tokensNone: 'You have none yet.',
    tokenGoes: (name: string) => `Programs that use “${name}” will be refused, at once.`,
    endsWith: (last: string) => `Ends in …${last}`,
    expires: (when: string) => `Good until ${when}`,
    expired: (when: string) => `Expired ${when}`,

    sessions: 'Sessions',
    sessionsTitle: 'Where I am signed in',
    sessionsLead: 'If you do not know one of these, end it and change your password.',
    sessionsYours: 'Your sessions',
    current: 'This browser',
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    someBrowser: 'An unknown browser',
    signedInAt: (when: string) => `Signed in ${when}`,
    lastSeen: (when: string) => `last used ${when}`,
    from: (network: string) => `From about ${network}`,
    endsAt: (when: string) => `Ends by itself ${when} if it is not used`,
    end: 'End',
    endNamed: (name: string) => `End ${name}`,
    ended: 'It is ended.',
    endOthers: 'End all others',
    othersEnded: 'All others are ended.',
    noOthers: 'You are signed in nowhere else.',
  },
  /** Writing events. */
  editor: {
    title: 'Event',
  },
  /** What administrators do. */
  admin: {
    title: 'Administration',
  },
  /** The first run. */
  setup: {
    title: 'Welcome',
  },
  /** The page about embedding. */
  embed: {
    title: 'On your own site',
    lead: 'Show this calendar on any web page: copy two lines, paste them where it should appear. Visitors get no cookies, and private events show their time alone.',
    choices: 'What should it show?',
    category: 'Category',
    all: 'All',
    theme: 'Colours',
    themes: [
      ['', 'As the reader has it'],
      ['light', 'Light'],
      ['dark', 'Dark'],
    ] as const,
    limit: 'How many events',
    view: 'View',
    views: { month: 'Month', week: 'Week', day: 'Day', list: 'List', year: 'Year' },
    upcomingTitle: 'Coming up',
    upcomingAbout: 'A short list for a sidebar or a front page. It weighs a few kilobytes.',
    calendarTitle: 'The whole calendar',
    calendarAbout: 'Month, week, day, list or year, with its own buttons. The grid is loaded only where it is used.',
    code: 'Copy this into your page',
    frameTitle: 'As a frame',
    frameAbout:
      'For sites that allow no scripts. Your site must be among those named in the setting embed_sites; ask whoever runs this calendar.',
    wordpressTitle: 'WordPress',
    wordpressAbout:
      'Put this into the functions.php of your child theme, or into a small plugin. It needs WordPress 6.5.',
    wordpressCode: 'For functions.php',
    wordpressUse: 'Then write this where the list should stand, in any page, post or text widget:',
    shortcode: 'Shortcode',
    lookTitle: 'Colours and letters',
    lookAbout: 'Set these custom properties in the style sheet of your site, on the element or anything around it.',
    properties: [
      ['--daybook-ink', 'Text'],
      ['--daybook-muted', 'Less important text'],
      ['--daybook-accent', 'Links, buttons, today'],
      ['--daybook-paper', 'Background'],
      ['--daybook-card', 'Background of the grid'],
      ['--daybook-line', 'Lines'],
      ['--daybook-font', 'Font, as in the CSS property font'],
    ] as const,
  },
  /** By the code of the error; anything else is `unknown`. */
  errors: {
    unknown: 'That did not work. Try again later.',
    offline: 'The service cannot be reached just now. Check your connection and try again.',
    rate_limited: 'That was often enough for now. Wait a while and try again.',
    another_person: 'Somebody else is signed in on this browser now. Nothing was sent.',
    credential_not_found: 'It is not there any more.',
    session_expired: 'You were signed out. Sign in again to carry on; nothing you typed is lost.',
    authentication_required: 'Sign in first.',
    invalid_credentials: 'Email address or password is not right.',
    insufficient_capability: 'Your account may not do this.',
    admin_required: 'Only administrators may do this.',
    account_pending: 'Your account is still waiting for an administrator.',
    account_rejected: 'An administrator has turned this account down.',
    account_suspended: 'This account is suspended. Ask an administrator.',
    email_not_verified: 'Your email address is not verified yet. Use the link in the mail we sent.',
    https_required: 'This page needs a secure connection. Open it with https.',
    token_invalid_or_expired: 'This link was used before, or is too old.',
    validation_failed: 'Some fields need another look.',
    version_mismatch: 'Somebody else changed this meanwhile.',
    event_not_found: 'This event is not there any more.',
    occurrence_not_found: 'This date is not part of the series.',
    last_admin: 'This is the last administrator; make another one first.',
    invalid_state_transition: 'That cannot follow the present state.',
    service_unavailable: 'The service is busy. Try again in a moment.',
    storage_unavailable: 'The database cannot be reached just now. Try again in a moment.',
  } as Record<string, string>,
  /** By the code of a field’s problem. */
  fields: {
    required: 'This is needed.',
    invalid_type: 'This cannot be read.',
    invalid_format: 'This does not look right.',
    too_short: 'This is too short.',
    too_long: 'This is too long.',
    out_of_range: 'This is out of range.',
    not_allowed: 'This is not possible here.',
    timezone_unknown: 'There is no such time zone.',
    end_before_start: 'The end must come after the start.',
    range_too_large: 'This spans too much time.',
    rrule_invalid: 'This repetition cannot be read.',
    rrule_unsupported: 'This kind of repetition is not offered.',
    rrule_no_occurrences: 'This repetition has no dates.',
    password_common: 'This password is easy to guess. Choose another.',
    url_scheme: 'Web addresses begin with http:// or https://.',
  } as Record<string, string>,
}

/** What stands on other people’s sites; apart, so that only this travels there. */
export const embedded = {
  loading: 'Loading …',
  nothing: 'Nothing is planned yet.',
  unreachable: 'The calendar cannot be reached just now.',
  tryAgain: 'Try again',
  upcoming: 'Coming up',
  privateEvent: 'Private Event',
  span: (from: string, to: string) => `${from} – ${to}`,
}

function waitInWords(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? 'a second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
