// Parses what a server wrote on one connection into HTTP/1.1 responses, and fails on anything that is not one.
import assert from 'node:assert/strict'

export interface RawResponse {
  status: number
  headers: Map<string, string>
  body: string
  /** False where the connection ended before the announced end. */
  isComplete: boolean
}

/** `methods` are those of the requests, in order. */
export function readResponses(bytes: Buffer, methods: readonly string[]): RawResponse[] {
  let text = bytes.toString('latin1')
  const responses: RawResponse[] = []
  while (text.length > 0) {
    const end = text.indexOf('\r\n\r\n')
    assert.notEqual(end, -1, `no end of the headers: ${text.slice(0, 200)}`)
    const [start = '', ...lines] = text.slice(0, end).split('\r\n')
    text = text.slice(end + 4)
    const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]*$/.exec(start)?.[1])
    assert.ok(status, `not a status line: ${start.slice(0, 200)}`)
    const headers = readHeaders(lines)
    if (status < 200) continue
    // A request that cannot be parsed has no method yet, so that its refusal has a body.
    const isRefusal = status >= 400 && headers.get('connection') === 'close' && text.startsWith('{')
    const isHead = methods[responses.length] === 'HEAD' && !isRefusal
    const isBodiless = isHead || status === 204 || status === 304
    const { body, rest, isComplete } = isBodiless ? { body: '', rest: text, isComplete: true } : readBody(headers, text)
    text = rest
    responses.push({ status, headers, body, isComplete })
  }
  return responses
}

function readHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+): ?([\x20-\x7e\t]*)$/.exec(line) ?? []
    assert.ok(name, `not a header: ${line.slice(0, 200)}`)
    headers.set(name.toLowerCase(), value)
  }
  return headers
}

function readBody(headers: Map<string, string>, text: string): { body: string; rest: string; isComplete: boolean } {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(text)
  const length = headers.get('content-length')
  assert.match(length ?? '', /^\d+$/, `neither a length nor chunks: ${[...headers.keys()].join(' ')}`)
  const bytes = Number(length)
  return { body: text.slice(0, bytes), rest: text.slice(bytes), isComplete: text.length >= bytes }
}

function readChunks(text: string): { body: string; rest: string; isComplete: boolean } {
  let body = ''
  for (let rest = text; ; ) {
    const line = /^([0-9a-f]+)\r\n/i.exec(rest)
    if (!line) return { body, rest: '', isComplete: false }
    const bytes = Number.parseInt(line[1]!, 16)
    const from = line[0].length
    if (rest.length < from + bytes + 2) return { body, rest: '', isComplete: false }
    assert.equal(rest.slice(from + bytes, from + bytes + 2), '\r\n', 'a chunk has its announced length')
    body += rest.slice(from, from + bytes)
    rest = rest.slice(from + bytes + 2)
    if (bytes === 0) return { body, rest, isComplete: true }
  }
}
