// Tags of the OpenAPI document, one for each operation by its path; each is a page of the manual.

/** In the order of the manual. The first pattern that matches a path decides. */
const TAGS: readonly { name: string; description: string; paths: RegExp }[] = [
  {
    name: 'Public',
    description: 'What anyone sees, whatever credentials are sent; private events show their time alone.',
    paths: /^\/public\/(?!.*\.ics$)/,
  },
  {
    name: 'Events',
    description: 'Events and series, as the reader may see them.',
    paths: /^\/(?:events(?:\/\{event_id\})?|freebusy)$/,
  },
  {
    name: 'Occurrences',
    description: 'Single occurrences of a series: read, edited, deleted and restored.',
    paths: /^\/events\/\{event_id\}\/(?:occurrences|exceptions)/,
  },
  {
    name: 'Synchronisation',
    description: 'For programs that keep a copy: many changes in one request, and what has changed since.',
    paths: /^\/events\/(?:bulk|changes|stream)$/,
  },
  {
    name: 'History',
    description: 'Earlier versions of an event, and deleted events: read and restored.',
    paths: /^\/(?:trash|events\/\{event_id\}\/history)/,
  },
  {
    name: 'Categories',
    description: 'The categories that administrators manage: names, colours, order and who sees them.',
    paths: /^\/(?:admin\/)?categories/,
  },
  {
    name: 'Feeds',
    description: 'iCalendar files to subscribe to, and the personal links to them.',
    paths: /^\/(?:public|feeds)\/.*\.ics$|^\/auth\/feeds/,
  },
  { name: 'Registration', description: 'Asking for an account, and the mailed links.', paths: /^\/(?:users|setup)/ },
  { name: 'Credentials', description: 'Signing in, sessions, app passwords and API tokens.', paths: /^\/auth/ },
  { name: 'Accounts', description: 'For administrators: who may read and write.', paths: /^\/admin\/users/ },
  {
    name: 'Administration',
    description: 'Settings, import and export, rewinding, audit and diagnostics.',
    paths: /^\/admin/,
  },
  { name: 'Description', description: 'This description of the API.', paths: /^/ },
]

export const tagsOf = (path: string): string[] => [TAGS.find(({ paths }) => paths.test(path))!.name]

export const listTags = (): object[] => TAGS.map(({ name, description }) => ({ name, description }))
