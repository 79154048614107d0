// Words of the embed script in German.
import type * as english from '../english/embedded.ts'

export const embedded: typeof english.embedded = {
  locale: 'de',
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: (text) => text,
  loading: 'Wird geladen …',
  nothing: 'Zurzeit sind keine Veranstaltungen angekündigt.',
  unreachable: 'Der Kalender ist gerade nicht erreichbar.',
  tryAgain: 'Erneut versuchen',
  upcoming: 'Demnächst',
  calendar: 'Kalender',
  zone: (name) => `Zeiten in ${name}`,
  privateEvent: 'Private Veranstaltung',
}
