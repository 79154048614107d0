// Words of the embed script in French.
import type * as english from '../english/embedded.ts'

export const embedded: typeof english.embedded = {
  locale: 'fr',
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: (text) => text.replace(/(?<!\d)1 (?=\p{L})/u, '1er '),
  loading: 'Chargement…',
  nothing: 'Aucun événement à venir.',
  unreachable: 'Le calendrier est injoignable pour le moment.',
  tryAgain: 'Réessayer',
  upcoming: 'À venir',
  calendar: 'Calendrier',
  zone: (name) => `Fuseau horaire : ${name}`,
  privateEvent: 'Événement privé',
}
