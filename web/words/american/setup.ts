// Words of the first run and of the page about embedding in American English.
import * as english from '../english/setup.ts'

export const setup: typeof english.setup = {
  ...english.setup,
  demo: 'Just looking around? This command fills the calendar with the events of a community center:',
}

export const embed: typeof english.embed = {
  ...english.embed,
  theme: 'Colors',
  lookTitle: 'Colors and fonts',
}
