// Words of the first run and of the page about embedding in British English.

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
  weekStartAuto: 'depends on the reader’s language',
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
  ] as [value: '' | 'light' | 'dark', label: string][],
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
  ] as [property: string, meaning: string][],
}
