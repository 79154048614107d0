// Parses which deleted events a request selects: by account, credential and time.
import type { TrashPosition } from '../../actions/history/restore-many.ts'
import type { TrashSelection } from '../../actions/history/trash.ts'
import type { Config } from '../../config.ts'
import type { TrashRestorationValues, TrashValues } from '../../contract/trash.ts'
import { cleanText } from '../../domain/plain-text.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { parseTimeText } from '../../domain/time/text.ts'
import { startInstantOf } from '../../domain/time/window.ts'
import { requireZone } from '../../domain/time/zone.ts'
import { fail, failField } from '../../errors.ts'

/** The conditions that a query and a body have in common. */
export const SELECTION = ['deleted_by', 'deleted_with', 'credential_id', 'since', 'until'] as const

type SelectionValues = Pick<TrashValues, (typeof SELECTION)[number]>

type Refuse = (name: (typeof SELECTION)[number]) => never

export const readTrashQuery = (query: TrashValues, config: Config): TrashSelection =>
  readSelection(query, config, (parameter) => fail('invalid_parameter', { parameter }))

/** A body without any condition would restore everything, so at least one is required. */
export function readRestoration(
  { event_ids: ids, ...values }: Omit<TrashRestorationValues, 'after' | 'dry_run'>,
  config: Config,
): TrashSelection {
  const selection = readSelection(values, config, (name) => failField(`/${name}`, 'invalid_format'))
  if (ids === undefined && SELECTION.every((name) => values[name] === undefined)) failField('/event_ids', 'required')
  // PostgreSQL cannot search for every character; an id with others finds nothing.
  return { ...selection, ids: ids?.filter((id) => /^[0-9a-v]+$/.test(id)) }
}

function readSelection(values: SelectionValues, config: Config, refuse: Refuse): TrashSelection {
  const readText = (name: 'deleted_by' | 'credential_id'): string | undefined => {
    const text = values[name]
    return text === undefined ? undefined : (cleanText(text) ?? refuse(name))
  }
  const readTime = (name: 'since' | 'until'): Instant | undefined => {
    const text = values[name]
    if (text === undefined) return undefined
    // An unescaped plus sign in a query arrives as a space.
    const time = parseTimeText(text.trim().replace(/ (?=\d\d:?\d\d$)/, '+')) ?? refuse(name)
    return startInstantOf(time, requireZone(config.timezone))
  }
  return {
    by: readText('deleted_by'),
    with: values.deleted_with,
    credentialId: readText('credential_id'),
    since: readTime('since'),
    until: readTime('until'),
  }
}

export const formatPosition = ({ deleted_at, event_id }: TrashPosition): string => `${deleted_at}.${event_id}`

export function readPosition(text: string): TrashPosition {
  const match = /^(\d{1,15})\.([0-9a-v]{26})$/.exec(text) ?? failField('/after', 'invalid_format')
  return { deleted_at: Number(match[1]), event_id: match[2]! }
}
