// The words of the API manual, in English: those of its pages and those of its script.

/** The frame of every page. Text in `backticks` is code. */
export const frame = {
  skip: 'Skip to the content',
  pages: 'Pages of the manual',
  overview: 'Overview',
  errors: 'Error codes',
  version: (version: string) => `Version ${version}`,
  openApi: 'openapi.json',
  forPrograms: 'for programs',
  search: 'Search the manual',
  find: 'Search',
  previous: 'Previous',
  next: 'Next',
  neighbours: 'Previous and next page',
  onThisPage: 'On this page',
}

export const overview = {
  signingIn: {
    title: 'Signing in',
    text: 'Reading needs no account: private events then show their time and the title `Private Event`, and nothing else. Writing needs one. Send an API token as `Authorization: Bearer calpat_…`, or your email and an app password as HTTP Basic credentials, over HTTPS. Credentials that are wrong are refused; the request is never treated as one without.',
    address: 'This is the address of this API. All examples use it; curl asks for the password.',
  },
  envelope: {
    title: 'Responses',
    text: 'Every JSON response is an object with `data`, and with `meta` where there is more to say: the window and zone of a list, its pages, the version of an event.',
  },
  paging: {
    title: 'Pages of a list',
    text: 'Lists take `page`, from 1, and `per_page`, 50 unless said otherwise. `meta.pagination` has the total, and the `Link` header the addresses of the first, previous, next and last page. A page past the end is empty.',
  },
  errors: {
    title: 'Errors',
    text: 'A refused request has a status and one body. Use `code` in programs: codes are added, never renamed. `message` is for people. With `validation_failed`, `details.fields` names every wrong field at once, by JSON pointer or by the name of the parameter. `X-Request-Id` names the request in the log of the server.',
    codes: 'All error codes',
  },
  changes: {
    title: 'Changing safely',
    text: 'An event has a `version` and an `etag`. A change says which one it is based on, by `version` in the body or by `If-Match`; if the event has changed since, the response is `version_mismatch` with the current version. A `POST` with an `Idempotency-Key` may be repeated for 24 hours and takes effect once.',
  },
  limits: {
    title: 'Limits',
    text: 'Requests are counted by network, and by account where there is one. Past the limit the response is 429 `rate_limited`, and `Retry-After` says how many seconds to wait. `RateLimit` and `RateLimit-Policy` say what is left. Read with `If-None-Match`: an unchanged response is 304 and short.',
  },
  operations: 'Operations',
  schemas: 'Schemas',
  schemasText: 'Objects in requests and responses, on the page of the operations that use them.',
}

export const operation = {
  needsAccount: 'Needs an account.',
  openSeesMore: 'Open to anyone; an account sees more.',
  open: 'Open to anyone.',
  name: 'Operation',
  places: { path: 'In the path', query: 'In the query', header: 'Headers' } as Record<string, string>,
  body: 'Body',
  schema: 'Schema',
  responses: 'Responses',
  errors: 'Errors',
  examples: 'Examples',
  required: 'required',
  forExample: 'For example',
  example: 'Example',
  always: 'always',
  arrayOf: 'array of',
  or: 'or',
  schemas: 'Schemas',
}

export const tryIt = {
  title: 'Try it',
  text: 'Sends the request to this server, without credentials, and shows the response here.',
  send: 'Send',
  label: (operation: string) => `Send: ${operation}`,
  notSet: 'not set',
  sending: 'Sending …',
  response: 'Response',
  failed: 'No response. Is the server reachable?',
  summary: (status: string, milliseconds: number) => `${status}, in ${milliseconds} ms`,
  headers: 'Headers of the response',
  body: 'Body of the response',
  bodyOf: (address: string) => `Body of the response: ${address}`,
  shortened: (characters: string) => `The first ${characters} characters:`,
  noBody: 'The response has no body.',
}

export const copying = {
  copy: 'Copy',
  copied: 'Copied',
  failed: 'Select the text to copy it',
  label: (title: string) => `Copy: ${title}`,
}

export const errorsPage = {
  text: 'Codes are added, never renamed, and each keeps its status.',
  status: 'Status',
  code: 'Code and meaning',
  refusals: 'Codes of an error',
  fields: 'Codes of a field',
  fieldsText: 'Inside `validation_failed`, one for each wrong field.',
}

export const searching = {
  title: 'Search',
  hint: 'Operations, schemas and their fields, parameters and error codes.',
  kinds: { operation: 'Operation', schema: 'Schema', error: 'Error', parameter: 'Parameter', field: 'Field' },
  found: (count: number, shown: number) =>
    count > shown
      ? `${count.toLocaleString('en-GB')} results, of which the first ${shown} are shown. Add a word to find fewer.`
      : `${count} ${count === 1 ? 'result' : 'results'}`,
  nothing: 'Nothing found. Try fewer or shorter words.',
  andOthers: (first: string, others: number) => (others === 0 ? first : `${first} and ${others} more`),
  results: 'Results of the search',
}
