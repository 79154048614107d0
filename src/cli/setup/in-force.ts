// What holds already for a calendar that is set up once more: what its environment says, and what was chosen in a browser.
import { withChoices } from '../../config.ts'
import { peekChoices } from '../../storage/engine/open.ts'
import { type Answers, configOf, type SetupDialog } from './settings.ts'

const CHOSEN = [
  ['site_name', 'siteName'],
  ['timezone', 'timezone'],
] as const

/** Nothing where it cannot be found out: whatever is in the way is asked about, or named when the calendar is opened. */
export async function findInForce({ data_dir, database_url }: Answers, { flags }: SetupDialog): Promise<Answers> {
  try {
    const place = { data_dir, database_url: flags['database-url'] ?? database_url }
    const named = configOf(Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined)))
    const config = withChoices(named, await peekChoices(named))
    return Object.fromEntries(
      CHOSEN.flatMap(([name, key]) => (config.origins[name] === 'default' ? [] : [[name, config[key]]])),
    )
  } catch {
    return {}
  }
}
