// Settings already in force for a repeated setup: from the environment and from the browser.
import { withStoredSettings } from '../../config.ts'
import { peekSettings } from '../../storage/engine/open.ts'
import { type Answers, configOf, type SetupDialog } from './settings.ts'

const CHOSEN = [
  ['site_name', 'siteName'],
  ['timezone', 'timezone'],
] as const

/** Empty if they cannot be read: the problem is asked about, or reported when the calendar is opened. */
export async function findInForce({ data_dir, database_url }: Answers, { flags }: SetupDialog): Promise<Answers> {
  try {
    const place = { data_dir, database_url: flags['database-url'] ?? database_url }
    const named = configOf(Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined)))
    const config = withStoredSettings(named, await peekSettings(named))
    return Object.fromEntries(
      CHOSEN.flatMap(([name, key]) => (config.origins[name] === 'default' ? [] : [[name, config[key]]])),
    )
  } catch {
    return {}
  }
}
