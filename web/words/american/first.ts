// Words of the first load in American English.
import * as english from '../english/first.ts'

export { rule, times } from '../../../src/words/american.ts'
export * from '../english/first.ts'

export const calendar: typeof english.calendar = {
  ...english.calendar,
  cancelled: 'canceled',
  cancelledNote: 'Canceled',
}
