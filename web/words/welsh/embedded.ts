// Words of the embed script in Welsh.
import { withWelshNames } from '../../../src/words/welsh-dates.ts'
import type * as english from '../english/embedded.ts'

export const embedded: typeof english.embedded = {
  locale: 'en-GB',
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: (text) => withWelshNames(text.replaceAll(',', '')),
  loading: 'Wrthi’n llwytho…',
  nothing: 'Does dim digwyddiadau i ddod.',
  unreachable: 'Does dim modd cyrraedd y calendr ar hyn o bryd.',
  tryAgain: 'Ceisio eto',
  upcoming: 'I ddod',
  calendar: 'Calendr',
  zone: (name) => `Amserau yng nghylchfa ${name}`,
  privateEvent: 'Digwyddiad preifat',
}
