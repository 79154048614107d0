// Texts of the service that pages translate: settings of the machine by name, findings by code, and none outdated.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { FINDING_CODES } from '../../src/doctor/finding.ts'
import { settings } from '../../src/settings.ts'
import { findings } from '../../web/words/english/findings.ts'
import { findings as german } from '../../web/words/german/findings.ts'
import { service } from '../../web/words/german/service.ts'

/** Those that only the command finds, where no service runs or a test mail is asked for. */
const BY_COMMAND: readonly string[] = [
  ...['config_unknown_setting', 'database_not_created', 'database_missing', 'service_stopped'],
  ...['service_not_checked', 'mail_sent'],
]

/** Of the English text that the translations were made from. Look at all languages before you record another. */
const REVIEWED = join(import.meta.dirname, 'reviewed', 'service.json')

const fingerprintOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 8)

test('each finding that a running service can have has words for pages', () => {
  assert.deepEqual(
    FINDING_CODES.filter((code) => !(code in findings) && !BY_COMMAND.includes(code)),
    [],
  )
  assert.deepEqual(
    Object.keys(findings).filter((code) => !(FINDING_CODES as string[]).includes(code)),
    [],
  )
})

test('each setting that only the operator sets has a meaning in other languages', () => {
  const machine = settings.filter((setting) => 'needs' in setting).map(({ name }) => name)
  assert.deepEqual(Object.keys(service.meanings).sort(), [...machine].sort())
})

test('no translated help text is older than the English one', () => {
  const now = Object.fromEntries(
    settings.filter((setting) => 'needs' in setting).map(({ name, help }) => [name, fingerprintOf(help)]),
  )
  assert.deepEqual(now, JSON.parse(readFileSync(REVIEWED, 'utf8')), 'translate it, then record its new fingerprint')
})

test('a finding in another language names what the service names', () => {
  const values = { is_served: true, end: '2026-12-01', days: 1, hostname: 'calendar.example.org', command: 'daybook' }
  assert.match(german.certificate_expiring(values)![0], /läuft am 2026-12-01 ab, in 1 Tag$/)
  assert.match(german.certificate_expiring({ ...values, days: 12 })![0], /in 12 Tagen$/)
  assert.match(german.mail_failing({ where: 'mail.example.org:587', reason: 'EAUTH', cause: 'EAUTH' })![0], /abgelehnt/)
  assert.match(german.backup_unknown({ command: 'npx daybook' })![1]!, /npx daybook backup/)
})
