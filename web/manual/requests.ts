// The requests of the API manual's script: its search index, and public reads without credentials.
import type { ManualEntry } from '../../src/words/manual-search.ts'

export interface TriedResponse {
  status: string
  milliseconds: number
  headers: [string, string][]
  text: string
  /** True if the body is longer than what is shown. */
  isCut: boolean
}

/** Characters of a body that are shown. A feed may have hundreds of megabytes. */
export const MAX_SHOWN_TEXT = 20_000

/** Those that say something to a client; security headers are the same everywhere. */
const TELLING = [
  ...['content-type', 'etag', 'last-modified', 'cache-control', 'link', 'location', 'content-disposition'],
  ...['retry-after', 'ratelimit', 'ratelimit-policy', 'x-request-id'],
]

export async function readIndex(address: string): Promise<ManualEntry[]> {
  const response = await fetch(address, { credentials: 'omit' })
  if (!response.ok) throw new Error(response.statusText)
  return response.json()
}

export async function tryRead(address: string, signal: AbortSignal): Promise<TriedResponse> {
  const begin = performance.now()
  const response = await fetch(address, { credentials: 'omit', cache: 'no-store', signal })
  const { text, isCut } = await readBeginning(response)
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    milliseconds: Math.round(performance.now() - begin),
    headers: TELLING.flatMap((name): [string, string][] => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
    text: isCut ? text : indentJson(text),
    isCut,
  }
}

/** Stops reading after as much as is shown. */
async function readBeginning({ body }: Response): Promise<{ text: string; isCut: boolean }> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done) return { text, isCut: false }
    text += part.value
    if (text.length <= MAX_SHOWN_TEXT) continue
    await reader?.cancel()
    return { text: text.slice(0, MAX_SHOWN_TEXT), isCut: true }
  }
}

function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
