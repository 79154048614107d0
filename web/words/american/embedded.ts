// Words of the embed script in American English.
import * as english from '../english/embedded.ts'

export const embedded: typeof english.embedded = {
  ...english.embedded,
  locale: 'en-US',
  clock: { hour: 'numeric', minute: '2-digit' },
  day: (text) => text,
}
