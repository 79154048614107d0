// One date of a series as a calendar file for the public: an event that does not repeat.
import type { Context } from '../../context.ts'
import type { Series } from '../../domain/calendar/event.ts'
import { ANONYMOUS } from '../../domain/privacy/viewer.ts'
import { formatOccurrenceKey } from '../../domain/recurrence/occurrence-key.ts'
import { fail } from '../../errors.ts'
import { publicEventText } from '../../ical/encode-public.ts'
import { listPublicUpdatesOf } from '../../storage/events/feeds.ts'
import { getOccurrence } from '../events/occurrences.ts'
import { assembleFeed } from './feeds.ts'

/** With a UID of its own: a calendar that also subscribes to the series shows both, and replaces neither. */
export async function createPublicDateFile(ctx: Context, id: string, keyText: string): Promise<Buffer> {
  const { event, key } = await getOccurrence(ctx, ANONYMOUS, id, keyText)
  const { timing, visibility } = event
  const isMasked = event.level === 'masked'
  // The key of a private date would tell where it was before it was moved.
  const name = isMasked || key === undefined ? `${timing.startAt}` : formatOccurrenceKey(key, timing.allDay)
  const uid = `${id}-${name}`
  const [update] = isMasked ? [{ updated_at: timing.startAt }] : await listPublicUpdatesOf(ctx.storage.reads, [id])
  // It was deleted or made private meanwhile.
  const { updated_at: updatedAt } = update ?? fail('event_not_found')
  const series: Series = {
    uid,
    visibility,
    transparency: 'opaque',
    details: isMasked ? NO_DETAILS : event.details,
    timing,
    rule: undefined,
    rdates: [],
    exclusions: [],
    overrides: [],
  }
  const text = publicEventText(series, { uid, updatedAt, sequence: 0, maskedUid: () => uid })
  return assembleFeed(ctx, timing.allDay || timing.zone === 'UTC' ? [] : [timing.zone], [Buffer.from(text)])
}

const NO_DETAILS: Series['details'] = {
  title: '',
  description: null,
  location: null,
  category: null,
  url: null,
  status: 'confirmed',
}
