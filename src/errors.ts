// Error catalogue: the code, status and message of every failure. Codes are added, never renamed.

interface ErrorRow {
  status: number
  message: string
  /** The WebDAV or CalDAV precondition, with the usual namespace prefix (RFC 4918 §16, RFC 4791 §5.3). */
  dav?: `${'D' | 'C'}:${string}`
}

export const errors = {
  invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  invalid_body: { status: 400, message: 'The body must be one JSON object.' },
  too_many_values: { status: 400, message: 'The body has too many values.' },
  invalid_encoding: { status: 400, message: 'The request is not valid UTF-8.' },
  invalid_parameter: { status: 400, message: 'A query parameter cannot be read.' },
  unknown_parameter: { status: 400, message: 'There is no such query parameter here.' },
  duplicate_parameter: { status: 400, message: 'A query parameter is given more than once.' },
  invalid_header: { status: 400, message: 'A request header cannot be read.' },
  incomplete_body: { status: 400, message: 'The body ended before it was complete.' },
  invalid_occurrence_key: { status: 400, message: 'The occurrence key is malformed.' },
  precondition_required: {
    status: 400,
    message: 'State the version you are changing, with If-Match or the field version.',
  },

  authentication_required: { status: 401, message: 'Sign in to do this.' },
  invalid_credentials: { status: 401, message: 'The credentials are not valid.' },
  session_expired: { status: 401, message: 'You were signed out. Sign in again.' },

  insufficient_capability: {
    status: 403,
    message: 'Your account does not have permission to do this.',
    dav: 'D:need-privileges',
  },
  admin_required: { status: 403, message: 'Only administrators may do this.' },
  token_scope_insufficient: {
    status: 403,
    message: 'This token lacks the required scope.',
    dav: 'D:need-privileges',
  },
  csrf_token_missing: { status: 403, message: 'The request needs the X-CSRF-Token of your session.' },
  csrf_token_invalid: { status: 403, message: 'The X-CSRF-Token does not belong to your session.' },
  origin_not_allowed: { status: 403, message: 'The request comes from another site.' },
  https_required: { status: 403, message: 'HTTPS is required.' },
  account_pending: { status: 403, message: 'Your account is waiting for approval.' },
  account_rejected: { status: 403, message: 'Your request for access was declined.' },
  account_suspended: { status: 403, message: 'Your account is suspended.' },
  email_not_verified: { status: 403, message: 'Your email address is not verified yet.' },
  registration_closed: { status: 403, message: 'This calendar accepts no requests for accounts.' },

  route_not_found: { status: 404, message: 'There is nothing at this address.' },
  event_not_found: { status: 404, message: 'There is no such event.' },
  occurrence_not_found: { status: 404, message: 'The series has no such occurrence.' },
  version_not_found: { status: 404, message: 'This version of the event is not kept.' },
  exception_not_found: { status: 404, message: 'The series has no such exception.' },
  feed_not_found: { status: 404, message: 'There is no such feed.' },
  user_not_found: { status: 404, message: 'There is no such user.' },
  category_not_found: { status: 404, message: 'There is no such category.' },
  credential_not_found: { status: 404, message: 'There is no such session, app password or token.' },

  idempotency_gone: { status: 409, message: 'The event that this idempotency key created was deleted since.' },
  idempotency_in_progress: { status: 409, message: 'The first request with this idempotency key is still running.' },
  idempotency_done: {
    status: 409,
    message:
      'The first request with this idempotency key took effect, at least in part. Its response is not kept: it had a secret, was too long, or the request ended before it.',
  },
  event_not_recurring: { status: 409, message: 'The event does not repeat.' },
  too_many_exceptions: { status: 409, message: 'The series has reached its limit of exceptions.' },
  too_many_overrides: {
    status: 409,
    message:
      'The change would need more than 1,000 single changed occurrences. Change the whole series, or delete this and the following occurrences and create a new event for them.',
  },
  event_too_large: {
    status: 409,
    message: 'With its edited occurrences the event would have more than 1.5 MiB of text or 50,000 words.',
  },
  uid_conflict: { status: 409, message: 'Another event has this uid.', dav: 'C:no-uid-conflict' },
  email_taken: { status: 409, message: 'Another account has this email address.' },
  invalid_state_transition: { status: 409, message: 'The account cannot change from its current state to that one.' },
  last_admin: { status: 409, message: 'This is the last administrator.' },
  category_exists: { status: 409, message: 'There is already a category with this name.' },
  category_in_use: {
    status: 409,
    message:
      'Events have this internal category, and deleting it would show its name to everyone. Make it public first.',
  },
  too_many_categories: { status: 409, message: 'There are 100 categories already. Delete one first.' },
  too_many_credentials: { status: 409, message: 'The limit has been reached. Remove one first.' },

  sync_token_expired: {
    status: 410,
    message: 'The sync token has expired. Read the list again and continue with its token.',
  },

  version_mismatch: { status: 412, message: 'The resource has changed since you read it.' },

  validation_failed: { status: 422, message: 'Some values are not allowed.' },
  bulk_too_long: {
    status: 422,
    message: 'Together these operations take longer than one transaction may. Send fewer, or do not send `atomic`.',
  },
  too_many_occurrences: {
    status: 422,
    message: 'The response would be too long. Request pages, smaller pages or a shorter range.',
  },
  rewind_too_early: { status: 422, message: 'What the calendar was at this moment is not kept any more.' },
  idempotency_key_reuse: { status: 422, message: 'This idempotency key was used for another request.' },
  token_invalid_or_expired: { status: 422, message: 'The link or code is not valid, or has expired.' },

  rate_limited: { status: 429, message: 'Too many requests. Try again later.' },

  internal_error: { status: 500, message: 'Something went wrong on our side.' },

  method_not_allowed: { status: 405, message: 'This address does not support that method.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  body_too_large: { status: 413, message: 'The body is too large.', dav: 'C:max-resource-size' },
  target_too_long: { status: 414, message: 'The address is too long.' },
  unsupported_media_type: { status: 415, message: 'The body has a type that is not accepted here, or is compressed.' },
  headers_too_large: { status: 431, message: 'The request headers are too large.' },
  too_many_elements: { status: 400, message: 'The body has too many XML elements.' },
  invalid_xml: { status: 400, message: 'The body is not the XML that is expected here.' },
  depth_infinite: { status: 403, message: 'Use a Depth of 0 or 1.', dav: 'D:propfind-finite-depth' },
  report_unsupported: {
    status: 403,
    message: 'This resource does not support that report.',
    dav: 'D:supported-report',
  },
  filter_invalid: { status: 403, message: 'The filter is not valid.', dav: 'C:valid-filter' },
  filter_unsupported: {
    status: 403,
    message: 'The filter asks for something that is not supported here.',
    dav: 'C:supported-filter',
  },
  collation_unsupported: { status: 403, message: 'There is no such collation.', dav: 'C:supported-collation' },
  data_type_unsupported: { status: 403, message: 'Only iCalendar 2.0 is supported.', dav: 'C:supported-calendar-data' },
  data_invalid: { status: 403, message: 'The calendar data cannot be read.', dav: 'C:valid-calendar-data' },
  zone_unknown: { status: 403, message: 'There is no such time zone.', dav: 'C:valid-timezone' },
  object_invalid: {
    status: 403,
    message: 'The calendar data is not one event or series.',
    dav: 'C:valid-calendar-object-resource',
  },
  component_unsupported: { status: 403, message: 'Only events are supported.', dav: 'C:supported-calendar-component' },
  date_too_early: { status: 403, message: 'The event is too far in the past.', dav: 'C:min-date-time' },
  date_too_late: { status: 403, message: 'The event is too far in the future.', dav: 'C:max-date-time' },
  too_many_instances: { status: 403, message: 'The series has too many occurrences.', dav: 'C:max-instances' },
  sync_token_invalid: { status: 403, message: 'The sync token is no longer valid.', dav: 'D:valid-sync-token' },
  destination_taken: { status: 412, message: 'There is already something at that address.' },
  destination_elsewhere: { status: 502, message: 'Events can be moved only within this calendar.' },
  too_many_matches: {
    status: 507,
    message: 'There are more matches than one response can hold.',
    dav: 'D:number-of-matches-within-limits',
  },
  too_many_properties: { status: 507, message: 'The limit of properties has been reached.' },
  format_not_implemented: { status: 501, message: 'This format is not offered: ask for json or xml.' },
  feed_too_large: { status: 507, message: 'The feed is too large to send. Filter it by category or by a later start.' },
  service_unavailable: { status: 503, message: 'The service is busy, stopping or not ready. Try again shortly.' },
  storage_unavailable: { status: 503, message: 'The database is not available right now. Try again shortly.' },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errors

/** Codes inside `validation_failed`, one per field. */
export const fieldCodes = {
  required: 'This field is required.',
  invalid_type: 'This field has the wrong type.',
  invalid_format: 'This field has an invalid format.',
  too_short: 'This field is too short.',
  too_long: 'This field is too long.',
  out_of_range: 'This value is outside the allowed range.',
  not_allowed: 'This value is not allowed here.',
  unknown_field: 'There is no such field.',
  timezone_unknown: 'There is no such time zone.',
  end_before_start: 'The end must come after the start.',
  range_empty: 'The range is empty or reversed.',
  range_too_large: 'The range is longer than allowed.',
  rrule_invalid: 'The recurrence rule is not valid.',
  rrule_unsupported: 'The recurrence rule repeats too often or too long.',
  rrule_no_occurrences: 'The recurrence rule never produces an occurrence.',
  password_common: 'This password is easy to guess. Choose another.',
  set_by_operator: 'The operator has set this in daybook.json or in the environment.',
  url_scheme: 'The address must begin with http:// or https://.',
} as const

export type FieldCode = keyof typeof fieldCodes

export interface FieldProblem {
  /** A JSON pointer into the body, or the name of a query parameter. */
  field: string
  code: FieldCode
  message: string
}

export const fieldProblem = (field: string, code: FieldCode): FieldProblem => ({
  field,
  code,
  message: fieldCodes[code],
})

export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, unknown> | undefined
  readonly headers: Record<string, string> | undefined

  constructor(code: ErrorCode, options: { details?: object; headers?: Record<string, string>; cause?: unknown } = {}) {
    super(errors[code].message, { cause: options.cause })
    this.code = code
    this.details = options.details as Record<string, unknown> | undefined
    this.headers = options.headers
  }

  get status(): number {
    return errors[this.code].status
  }
}

export function fail(code: ErrorCode, details?: object): never {
  throw new AppError(code, details ? { details } : {})
}

/** Problems reported per request. */
export const MAX_REPORTED = 50

export function failFields(problems: FieldProblem[]): never {
  fail('validation_failed', { fields: problems.slice(0, MAX_REPORTED) })
}

export function failField(field: string, code: FieldCode): never {
  failFields([fieldProblem(field, code)])
}

/** For the log: the kind of a failure and the engine's own code; never a message, which could quote user input. */
export function describeKind(error: unknown): { error: string; code: string | number | undefined } {
  const cause = error instanceof AppError && error.cause !== undefined ? error.cause : error
  const { code, errcode, name } = cause as { code?: string; errcode?: number; name?: string }
  return { error: error instanceof AppError ? error.code : (name ?? typeof cause), code: errcode ?? code }
}
