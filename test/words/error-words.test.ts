// Errors that people meet have words in every language: each code of the service is either listed here or has them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errors } from '../../src/errors.ts'
import { readTexts, SOURCE, TRANSLATIONS } from '../../web/build/word-texts.ts'

/**
 * Codes that only programs meet: malformed requests, CalDAV, and parameters that no page sends. A page that met one
 * says that something went wrong.
 */
const FOR_PROGRAMS: ReadonlySet<string> = new Set([
  ...['invalid_json', 'invalid_body', 'too_many_values', 'invalid_encoding', 'invalid_parameter', 'unknown_parameter'],
  ...['duplicate_parameter', 'invalid_header', 'incomplete_body', 'precondition_required', 'token_scope_insufficient'],
  ...['origin_not_allowed', 'route_not_found', 'feed_not_found', 'idempotency_gone', 'idempotency_in_progress'],
  ...['idempotency_done', 'idempotency_key_reuse', 'sync_token_expired', 'bulk_too_long', 'too_many_occurrences'],
  ...['internal_error', 'method_not_allowed', 'target_too_long', 'unsupported_media_type', 'headers_too_large'],
  // CalDAV.
  ...['too_many_elements', 'invalid_xml', 'depth_infinite', 'report_unsupported', 'filter_invalid'],
  ...['filter_unsupported', 'collation_unsupported', 'data_type_unsupported', 'data_invalid', 'zone_unknown'],
  ...['object_invalid', 'component_unsupported', 'date_too_early', 'date_too_late', 'too_many_instances'],
  ...['sync_token_invalid', 'destination_taken', 'destination_elsewhere', 'too_many_matches', 'too_many_properties'],
  ...['format_not_implemented', 'feed_too_large'],
])

/** Of all pages, or of the page that meets it. */
const isErrorText = (key: string): boolean => key.startsWith('web/first errors.') || key.includes('efusals.')

async function codesWithWords(language: string): Promise<Set<string>> {
  const texts = await readTexts(language)
  return new Set([...texts.keys()].filter(isErrorText).map((key) => key.slice(key.lastIndexOf('.') + 1)))
}

for (const language of [SOURCE, ...TRANSLATIONS.filter((name) => name !== 'american')])
  test(`each error that a page can show has words in ${language}`, async () => {
    const worded = await codesWithWords(language)
    assert.deepEqual(
      Object.keys(errors).filter((code) => !worded.has(code) && !FOR_PROGRAMS.has(code)),
      [],
      'add words, or name it among those for programs',
    )
    assert.deepEqual(
      [...FOR_PROGRAMS].filter((code) => worded.has(code) || !(code in errors)),
      [],
      'a code that is gone or has words is not for programs alone',
    )
  })
