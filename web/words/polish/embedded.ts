// Words of the embed script in Polish.
import type * as english from '../english/embedded.ts'

export const embedded: typeof english.embedded = {
  locale: 'pl',
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: (text) => text,
  loading: 'Wczytywanie…',
  nothing: 'Brak nadchodzących wydarzeń.',
  unreachable: 'Kalendarz jest teraz niedostępny.',
  tryAgain: 'Spróbuj ponownie',
  upcoming: 'Nadchodzące wydarzenia',
  calendar: 'Kalendarz',
  zone: (name) => `Godziny w strefie ${name}`,
  privateEvent: 'Wydarzenie prywatne',
}
