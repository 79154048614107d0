// Creates and changes events through the service for one measurement, far from the measured month.
import { AUTHORISATION, EVENTS_PATH, type Running } from './service.ts'

/** A session of each fresh series is ten weeks long, from this Monday on. */
const SERIES_START = '2099-01-05'
export const SERIES_KEYS = ['2099-01-12T18:00:00', '2099-01-19T18:00:00', '2099-02-02T18:00:00']

export async function createMany(service: Running, count: number, more: object): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const { id } = await send(service, 'POST', EVENTS_PATH, 201, {
      title: 'Meeting',
      location: 'Small hall',
      start: `${SERIES_START}T18:00`,
      end: `${SERIES_START}T19:30`,
      ...more,
    })
    ids.push(id)
  }
  return ids
}

export async function changeOne(service: Running, id: string, version: number): Promise<void> {
  await send(service, 'PATCH', `${EVENTS_PATH}/${id}`, 200, { title: `Meeting, changed ${version} times`, version })
}

async function send(service: Running, method: string, path: string, status: number, body: object) {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    method,
    headers: { authorization: AUTHORISATION, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== status) throw new Error(`${method} of an event answered ${response.status}`)
  return ((await response.json()) as { data: { id: string } }).data
}
