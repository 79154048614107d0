// Mail texts: the same content in plain text and HTML, links with the token after the #, times with their zone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../../src/config.ts'
import { MAIL_KINDS } from '../../src/domain/account/mail-kind.ts'
import { LANGUAGES } from '../../src/domain/languages.ts'
import { requireZone } from '../../src/domain/time/zone.ts'
import { linksOf } from '../../src/mail/links.ts'
import { type MailContent, type MailSite, writeMessage } from '../../src/mail/messages.ts'

const TOKEN = 'A'.repeat(43)
const goodUntil = Date.parse('2026-07-14T11:30:00Z')
const key = { token: TOKEN, goodUntil }

const site = (settings: Record<string, string> = {}, zone = 'Europe/London'): MailSite => {
  const config = loadConfig({ DAYBOOK_PUBLIC_URL: 'https://calendar.example.org', ...settings }, '/nowhere')
  return { name: config.siteName, links: linksOf(config), zone: requireZone(zone) }
}

const NEWS: MailContent[] = [
  { kind: 'verification', key },
  { kind: 'already_registered', key: undefined },
  { kind: 'already_registered', key },
  { kind: 'reset', key, isVerified: true },
  { kind: 'reset', key, isVerified: false },
  { kind: 'set_password', key, isApproved: true },
  { kind: 'set_password', key, isApproved: false },
  { kind: 'password_changed', changedAt: goodUntil },
  { kind: 'approved', isVerified: true },
  { kind: 'approved', isVerified: false },
  { kind: 'rejected' },
  { kind: 'suspended' },
  { kind: 'access_requested', waiting: 1 },
  { kind: 'access_requested', waiting: 12 },
  { kind: 'backup_failed', problem: '/backups cannot be written: ENOSPC' },
  ...(['session', 'password', 'app_password', 'token'] as const).map((changed_with): MailContent => {
    const credential_id = changed_with === 'password' ? null : 'c1'
    return {
      kind: 'bulk_changes',
      incident: { user_id: 'u1', changed_with, credential_id, began_at: goodUntil },
      limit: 200,
      keeps: { trash: changed_with !== 'token', history: changed_with !== 'session' },
    }
  }),
  { kind: 'test' },
]

const linksIn = (text: string): string[] => text.replaceAll('&amp;', '&').match(/https?:\/\/[^\s"<]+/g) ?? []

test('every kind of mail has a text', () => {
  assert.deepEqual(
    MAIL_KINDS.filter((kind) => !NEWS.some((news) => news.kind === kind)),
    [],
  )
})

test('a mail has the same content in plain text and in HTML', () => {
  for (const news of NEWS) {
    const { text, html } = writeMessage(site(), news, 'en-GB')
    const paragraphs = text.trim().split('\n\n')
    assert.ok(paragraphs.length >= 4, news.kind)
    for (const paragraph of paragraphs)
      assert.ok(html.includes(paragraph.replaceAll('&', '&amp;')), `${news.kind}: ${paragraph}`)
    assert.deepEqual(new Set(linksIn(html)), new Set(linksIn(text)), news.kind)
  }
})

test('HTML loads nothing, runs nothing and links only to the calendar', () => {
  for (const news of NEWS) {
    const { html } = writeMessage(site(), news, 'en-GB')
    assert.doesNotMatch(html, /<(?:img|script|style|link|iframe|object|form)|src=|url\(|@import|on\w+=/i)
    for (const link of linksIn(html)) assert.ok(link.startsWith('https://calendar.example.org/'), link)
  }
})

test('the token is after the #, where no server sees it', () => {
  const linkOf = (news: MailContent): string | undefined =>
    linksIn(writeMessage(site(), news, 'en-GB').text).find((link) => link.includes(TOKEN))
  assert.equal(linkOf({ kind: 'verification', key }), `https://calendar.example.org/verify#t=${TOKEN}`)
  assert.equal(linkOf({ kind: 'already_registered', key }), `https://calendar.example.org/verify#t=${TOKEN}`)
  for (const isVerified of [true, false])
    assert.equal(linkOf({ kind: 'reset', key, isVerified }), `https://calendar.example.org/reset-password#t=${TOKEN}`)
})

test('links contain the slug', () => {
  const { links } = site({ DAYBOOK_URL_SLUG: 'town' })
  assert.deepEqual(
    [links.home, links.signIn, links.requests, links.forgot, links.verify('x'), links.reset('x')],
    [
      'https://calendar.example.org/town/',
      'https://calendar.example.org/town/sign-in',
      'https://calendar.example.org/town/admin',
      'https://calendar.example.org/town/forgot-password',
      'https://calendar.example.org/town/verify#t=x',
      'https://calendar.example.org/town/reset-password#t=x',
    ],
  )
})

test('a mail leads to the page where its reader acts', () => {
  const firstLink = (news: MailContent): string | undefined => linksIn(writeMessage(site(), news, 'en-GB').text)[0]
  assert.equal(firstLink({ kind: 'approved', isVerified: true }), 'https://calendar.example.org/sign-in')
  assert.equal(firstLink({ kind: 'already_registered', key: undefined }), 'https://calendar.example.org/sign-in')
  assert.equal(firstLink({ kind: 'access_requested', waiting: 2 }), 'https://calendar.example.org/admin')
})

test('times are in the zone of the calendar, which is named', () => {
  const timeIn = (zone: string): string =>
    /until (.*)\.$/m.exec(writeMessage(site({}, zone), { kind: 'verification', key }, 'en-GB').text)![1]!
  assert.equal(timeIn('Europe/London'), 'Tuesday 14 July 2026, 12:30 (Europe/London)')
  assert.equal(timeIn('Asia/Kathmandu'), 'Tuesday 14 July 2026, 17:15 (Asia/Kathmandu)')
  assert.equal(timeIn('Pacific/Kiritimati'), 'Wednesday 15 July 2026, 01:30 (Pacific/Kiritimati)')
  const { text } = writeMessage(site(), { kind: 'password_changed', changedAt: goodUntil }, 'en-GB')
  assert.match(text, /changed on Tuesday 14 July 2026, 12:30 \(Europe\/London\)/)
})

test('a subject is the same for every mail of its kind', () => {
  const subjects = new Map<string, Set<string>>()
  for (const news of NEWS)
    subjects.set(news.kind, (subjects.get(news.kind) ?? new Set()).add(writeMessage(site(), news, 'en-GB').subject))
  for (const [kind, found] of subjects) assert.equal(found.size, 1, kind)
  assert.equal(new Set([...subjects.values()].map((found) => [...found][0])).size, subjects.size)
})

test('a calendar name that looks like HTML is escaped', () => {
  const name = `<b onclick="x">Tom & Co's</b>`
  const { text, html } = writeMessage(site({ DAYBOOK_SITE_NAME: name }), { kind: 'rejected' }, 'en-GB')
  assert.ok(text.includes(name))
  assert.ok(html.includes('&lt;b onclick=&quot;x&quot;&gt;Tom &amp; Co&#39;s&lt;/b&gt;'))
  assert.doesNotMatch(html, /<b /)
})

test('administrators are sent the number of requests, not the names', () => {
  assert.match(
    writeMessage(site(), { kind: 'access_requested', waiting: 1 }, 'en-GB').text,
    /One person is waiting[\s\S]*reject the request:/,
  )
  assert.match(writeMessage(site(), { kind: 'access_requested', waiting: 2 }, 'en-GB').text, /reject their requests:/)
  assert.match(writeMessage(site(), { kind: 'access_requested', waiting: 12 }, 'en-GB').text, /12 people are waiting/)
})

test('the mail says that no action is needed if the reader did not ask, and promises nothing a setting could break', () => {
  for (const news of NEWS.filter(({ kind }) => kind === 'verification' || kind === 'already_registered')) {
    const { text } = writeMessage(site(), news, 'en-GB')
    assert.match(text, /^If this was not you, you can ignore this email\.$/m)
    assert.doesNotMatch(text, /not used/)
  }
})

for (const language of LANGUAGES)
  test(`mails in ${language} have the same links as in English, and no gaps`, () => {
    const subjects = new Set<string>()
    for (const news of NEWS) {
      const english = writeMessage(site(), news, 'en-GB')
      const { subject, text, html } = writeMessage(site(), news, language)
      assert.deepEqual(linksIn(text), linksIn(english.text), news.kind)
      assert.equal(text.split('\n\n').length, english.text.split('\n\n').length, news.kind)
      assert.doesNotMatch(`${subject} ${text}`, /undefined|null|NaN|\[object|\(name\)/, news.kind)
      assert.ok(subject.startsWith('Daybook'), subject)
      assert.match(html, new RegExp(`<html lang="${language}">`))
      subjects.add(subject)
    }
    assert.equal(subjects.size, new Set(NEWS.map(({ kind }) => kind)).size)
  })

test('mails in other languages have dates of that language', () => {
  const { text, subject } = writeMessage(site(), { kind: 'verification', key }, 'de')
  assert.equal(subject, 'Daybook: Bitte bestätigen Sie Ihre E-Mail-Adresse')
  assert.match(text, /^Der Link funktioniert einmal, bis \p{L}+, \d+\. \p{L}+ \d{4}, \d\d:\d\d \(Europe\/London\)\.$/mu)
  const american = writeMessage(site(), { kind: 'verification', key }, 'en-US').text
  assert.match(american, /until \p{L}+, \p{L}+ \d+, \d{4}, \d+:\d\d\s[AP]M \(Europe\/London\)\.$/mu)
})

test('the cause of a failed backup is in the language of the mail, with the message of the command', () => {
  const causeIn = (language: 'en-GB' | 'de' | 'pl', problem: string): string =>
    writeMessage(site(), { kind: 'backup_failed', problem }, language).text
  const full = '/backups cannot be written: ENOSPC'
  assert.match(causeIn('en-GB', full), /failed: \/backups cannot be written: ENOSPC/)
  assert.match(causeIn('de', full), /auf dem Datenträger ist kein Platz mehr \(\/backups cannot be written: ENOSPC\)/)
  assert.match(causeIn('pl', 'EACCES: permission denied'), /usługa nie może tam zapisywać \(EACCES/)
  assert.match(causeIn('de', 'the process ended with 1'), /die Meldung des Servers ist „the process ended with 1“/)
})
