// Words of the trash and of histories of events in British English.

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

export interface DeletedWithWords {
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

interface MadeWithWords {
  by_name: string | null
  with: DeletedWithWords['deleted_with'] | 'service' | null
  credential_name: string | null
}
