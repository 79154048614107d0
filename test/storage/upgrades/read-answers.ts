// Asks a calendar what it shows, in the fields that every version has had.
import type { Json } from '../../support/http/api-response.ts'
import type { Client, World } from '../../support/world.ts'

export interface FixtureAnswers {
  /** Occurrences that an account sees, in the windows below, and every event once. */
  full: string[]
  /** The same as the public sees them. */
  masked: string[]
  /** CalDAV objects as they were sent, by name. */
  objects: Record<string, string>
}

/** Two of them have a change of the clocks. */
const WINDOWS = ['from=2026-03-25&to=2026-04-05', 'from=2026-06-29&to=2026-08-02', 'from=2026-10-22&to=2026-10-28']
const ALL = 'expand=false'

const FULL = ['id', 'title', 'start', 'end', 'all_day', 'visibility', 'occurrence_key', 'description', 'location']
const MORE = ['category', 'url', 'status', 'transparency', 'uid', 'timezone']
const MASKED = ['id', 'title', 'start', 'end', 'all_day', 'visibility']

export async function readAnswers(
  { reader, writer, anonymous }: World,
  names: readonly string[],
): Promise<FixtureAnswers> {
  const objects: Record<string, string> = {}
  for (const name of names) {
    const url = `/caldav/calendars/main/${encodeURIComponent(name)}`
    objects[name] = (await writer.send({ method: 'GET', url })).text
  }
  return { full: await listAll(reader, [...FULL, ...MORE]), masked: await listAll(anonymous, MASKED), objects }
}

/** One line for each entry, sorted. */
async function listAll(client: Client, fields: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const query of [...WINDOWS, ALL]) {
    for (let page = 1; ; page++) {
      const { status, text, body } = await client.get(`/events?${query}&timezone=UTC&per_page=200&page=${page}`)
      if (status !== 200) throw new Error(`${status}: ${text}`)
      found.push(...body.data.map((entry: Json) => `${query} ${JSON.stringify(fields.map((name) => entry[name]))}`))
      if (body.data.length < 200) break
    }
  }
  return found.sort()
}
