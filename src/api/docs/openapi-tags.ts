// Tags of the OpenAPI document: the group of each operation, by its path.

const TAGS: readonly { name: string; description: string; paths: RegExp }[] = [
  {
    name: 'Occurrences',
    description: 'Single occurrences of a series: read, edited, deleted and restored.',
    paths: /^\/events\/\{event_id\}\/(?:occurrences|exceptions)/,
  },
  { name: 'Events', description: 'Events and series, as the reader may see them.', paths: /^\/(?:events|freebusy)/ },
  {
    name: 'Feeds',
    description: 'iCalendar files to subscribe to, and the personal links to them.',
    paths: /\.ics$|^\/auth\/feeds/,
  },
  {
    name: 'Public',
    description: 'What anyone sees, whatever credentials are sent; private events show their time alone.',
    paths: /^\/public/,
  },
  { name: 'Registration', description: 'Asking for an account, and the mailed links.', paths: /^\/(?:users|setup)/ },
  { name: 'Credentials', description: 'Signing in, sessions, app passwords and API tokens.', paths: /^\/auth/ },
  { name: 'Administration', description: 'Accounts, import and export, diagnostics.', paths: /^\/admin/ },
  { name: 'Description', description: 'This document.', paths: /^/ },
]

const findTag = (path: string): string =>
  path.startsWith('/admin') ? 'Administration' : TAGS.find(({ paths }) => paths.test(path))!.name

export const tagsOf = (path: string): string[] => [findTag(path)]

export const listTags = (): object[] => TAGS.map(({ name, description }) => ({ name, description }))
