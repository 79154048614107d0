// A shared cache by RFC 9111, small and strict about storing; one that honours Vary, or one that ignores it.

import type { ApiResponse } from './http/api-response.ts'
import type { Client } from './world.ts'

interface StoredResponse {
  answer: ApiResponse
  /** The request headers that Vary named, with their values. */
  selectors: Record<string, string | undefined>
}

export interface SharedCache {
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  /** Everything in the cache. */
  dump(): string
  /** How many responses came without a body from the service. */
  reused(): number
}

export function makeSharedCache(client: Client, honoursVary: boolean): SharedCache {
  const stored = new Map<string, StoredResponse[]>()
  let reused = 0
  const matches = ({ selectors }: StoredResponse, headers: Record<string, string>): boolean =>
    !honoursVary || Object.entries(selectors).every(([name, value]) => headers[name] === value)
  return {
    async get(path, headers = {}) {
      const known = stored.get(path)?.find((entry) => matches(entry, headers))
      const tag = known?.answer.headers.etag
      const answer = await client.get(path, { ...headers, ...(tag ? { 'if-none-match': String(tag) } : {}) })
      if (answer.status === 304 && known) {
        reused += 1
        return known.answer
      }
      const others = (stored.get(path) ?? []).filter((entry) => entry !== known)
      stored.set(
        path,
        mayStore(answer, headers) ? [...others, { answer, selectors: selectorsOf(answer, headers) }] : others,
      )
      return answer
    },
    dump: () =>
      [...stored.values()]
        .flat()
        .map(({ answer }) => answer.text)
        .join('\n'),
    reused: () => reused,
  }
}

/** RFC 9111 §3 and §3.5: with Authorization only responses that explicitly allow it. */
function mayStore({ status, headers }: ApiResponse, request: Record<string, string>): boolean {
  const control = String(headers['cache-control'] ?? '')
  if (status !== 200 || /no-store|private/.test(control)) return false
  return request.authorization === undefined || /public|s-maxage|must-revalidate/.test(control)
}

const selectorsOf = ({ headers }: ApiResponse, request: Record<string, string>): Record<string, string | undefined> =>
  Object.fromEntries(
    String(headers.vary ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter(Boolean)
      .map((name) => [name, request[name]]),
  )
