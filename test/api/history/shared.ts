// What tests of the trash and the history share: a weekly series, its stored row, and a sync of its calendar.
import { MAIN } from '../../caldav/support/events.ts'
import { davOf } from '../../support/http/dav.ts'
import type { World } from '../../support/world.ts'

export const choir = {
  title: 'Choir',
  description: 'Bring the red book.',
  start: '2026-07-07T19:00',
  end: '2026-07-07T21:00',
  visibility: 'public',
  rrule: 'FREQ=WEEKLY;COUNT=4',
}

export const storedRow = ({ app }: World, id: string) =>
  app.ctx.storage.reads.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst()

export async function syncToken({ writer }: World): Promise<string> {
  const { found } = await davOf(writer).propfind(MAIN, '0', ['D:sync-token'])
  return found[0]!.props['D:sync-token']!.text
}

export async function changesSince({ writer }: World, token: string): Promise<[string, number][]> {
  const body = `<D:sync-collection xmlns:D="DAV:"><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>`
  const { found } = await davOf(writer).send('REPORT', MAIN, body)
  return found.map(({ href, status = 200 }) => [href, status])
}
