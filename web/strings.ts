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
  },
  /** The calendar everybody sees. */
  calendar: {
    title: 'Calendar',
  },
  /** Signing in, registering, and what belongs to one’s own account. */
  account: {
    title: 'My account',
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
