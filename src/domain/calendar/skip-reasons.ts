// Why a component of a calendar file is not imported: a code for programs, a message for people.

export const skipReasons = {
  todo: 'To-dos are not supported.',
  journal: 'Journal entries are not supported.',
  free_busy: 'Free/busy components are not supported.',
  unknown_component: 'This kind of component is not supported.',
  message: 'Its calendar is a message about events (METHOD), not a list of them.',
  end_missing: 'Its end is missing or does not match its beginning.',
  nested: 'It contains another event or calendar, or its components are nested too deeply.',
  line_too_long: 'One of its lines is longer than 262,144 characters.',
  too_many_lines: 'It has more than 50,000 lines.',
  too_large: 'It is larger than 1.5 MiB.',
  uid_missing: 'It has no UID.',
  uid_too_long: 'Its UID is longer than 255 characters.',
  uid_repeated: 'A later event in the file has the same UID.',
  unreadable: 'One of its lines cannot be read.',
  encoded: 'Its text is encoded as quoted-printable or base64.',
  times_unreadable: 'Its start or end is missing, cannot be read, or lies outside the years 1900 to 2200.',
  too_long: 'It lasts longer than 366 days.',
  timezone_unknown: 'Its time zone is neither known nor defined in the file.',
  zone_rules:
    'Its time zone has rules of its own, and too many of its dates depend on them, or it has over ten such zones.',
  rrule_invalid: 'Its recurrence rule is not valid.',
  rrule_unsupported: 'Its recurrence rule repeats too often or too long.',
  rrule_no_occurrences: 'Its recurrence rule never produces an occurrence.',
  rules_combined: 'It has several recurrence rules, or exclusion rules (EXRULE), with too many dates.',
  dates_unreadable: 'One of its extra or excluded dates cannot be read.',
  dates_out_of_range: 'One of its extra dates lies before its start or outside the years 1900 to 2200.',
  too_many_exceptions: 'It has more than 10,000 extra, excluded and edited dates, or more than 2,000 edited ones.',
  too_many_periods: 'Too many of its extra dates have a length of their own.',
  range_unsupported: 'It changes an occurrence and all earlier ones (RANGE=THISANDPRIOR).',
  occurrence_without_series: 'It edits occurrences of a series that is not in the file.',
  occurrence_unreadable: 'An edited occurrence cannot be read, or is all-day where the series is not.',
  too_many_words: 'It and its edited occurrences have more than 50,000 words.',
  not_stored: 'It could not be stored.',
} as const

export type SkipReason = keyof typeof skipReasons

export const SKIP_REASONS = Object.keys(skipReasons) as SkipReason[]
