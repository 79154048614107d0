// Load client in its own process: keep-alive sockets, one request after another on each, timed.
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { type BenchRequest, type NextRequest, requestsFor } from './requests.ts'

export interface LoadJob {
  port: number
  /** The process whose CPU time is read beside our own. */
  serverPid: number
  connections: number
  warmUpMs: number
  measureMs: number
  asked: BenchRequest
}

export interface LoadResult {
  perSecond: number
  medianMs: number
  p95Ms: number
  /** Share of one core, 1 being all of it. */
  clientCpu: number
  serverCpu: number | null
}

/** The longest slice, whatever was requested. */
const MAX_SLICE_MS = 15_000
const FEWEST_ANSWERS = 2
const READ_BYTES = 512 * 1_024
const LONGEST_HEAD = 4_096

process.on('message', async (job: LoadJob) => {
  try {
    process.send!(await run(job))
  } catch (error) {
    process.send!({ failure: (error as Error).message })
  }
})
process.on('disconnect', () => process.exit(0))

async function run({ port, serverPid, connections, warmUpMs, measureMs, asked }: LoadJob): Promise<LoadResult> {
  globalThis.gc?.()
  const next = requestsFor(asked)
  const latencies: number[] = []
  const begin = performance.now() + Math.min(warmUpMs, MAX_SLICE_MS)
  const enough = FEWEST_ANSWERS * connections
  let end = begin
  let usage: { client: number; server: number | null } | undefined
  /** A slice lasts as requested, and longer where responses are so slow that they would be too few to compare. */
  const note = (sentAt: number, answeredAt: number): boolean => {
    if (answeredAt < begin) return true
    usage ??= { client: cpuMs(), server: cpuMsOf(serverPid) }
    const isOver = answeredAt >= begin + measureMs && latencies.length >= enough
    if (isOver || answeredAt >= begin + MAX_SLICE_MS) return false
    latencies.push(answeredAt - sentAt)
    end = answeredAt
    return true
  }
  await Promise.all(Array.from({ length: connections }, (_, i) => sendRepeatedly(port, i, next, note)))
  if (latencies.length === 0 || !usage) throw new Error('not one request was answered in time')
  const elapsed = performance.now() - begin
  const serverNow = cpuMsOf(serverPid)
  latencies.sort((a, b) => a - b)
  return {
    perSecond: latencies.length / ((end - begin) / 1_000),
    medianMs: latencies[Math.floor(latencies.length / 2)]!,
    p95Ms: latencies[Math.floor(latencies.length * 0.95)]!,
    clientCpu: (cpuMs() - usage.client) / elapsed,
    serverCpu: serverNow === null || usage.server === null ? null : (serverNow - usage.server) / elapsed,
  }
}

/** One connection: sends the next request when the last response is complete. `note` returns whether to go on. */
function sendRepeatedly(
  port: number,
  connection: number,
  next: NextRequest,
  note: (sentAt: number, answeredAt: number) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let i = 0
    let expected = 0
    let sentAt = 0
    let isDone = false
    const ask = (): void => {
      const { bytes, status } = next(connection, i++)
      expected = status
      sentAt = performance.now()
      socket.write(bytes)
    }
    const read = makeReader((status, text) => {
      if (status !== expected) socket.destroy(new Error(`answered ${status}, not ${expected}: ${text}`))
      else if (note(sentAt, performance.now())) ask()
      else {
        isDone = true
        socket.end()
      }
    })
    const onread = {
      buffer: Buffer.alloc(READ_BYTES),
      callback(size: number, buffer: Uint8Array): boolean {
        try {
          read(buffer as Buffer, size)
        } catch (error) {
          socket.destroy(error as Error)
        }
        return true
      },
    }
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
    socket.once('connect', ask)
    socket.once('error', reject)
    socket.once('close', () => (isDone ? resolve() : reject(new Error('the server closed a connection'))))
  })
}

/** Chunked: its length is unknown until the last chunk. */
const IN_CHUNKS = -2
const LAST_CHUNK = '0\r\n\r\n'

/** Minimal HTTP/1.1 parser for responses with Content-Length or chunked encoding. */
function makeReader(onAnswer: (status: number, text: string) => void): (chunk: Buffer, size: number) => void {
  let head = ''
  let missing = -1
  let tail = ''
  return (chunk, size) => {
    let at = 0
    if (missing === -1) {
      const before = head.length
      head += chunk.toString('latin1', 0, Math.min(size, LONGEST_HEAD))
      const end = head.indexOf('\r\n\r\n')
      if (end < 0 && head.length >= LONGEST_HEAD) throw new Error('an answer has a very long head')
      if (end < 0) return
      at = end + 4 - before
      missing = lengthOf(head.slice(0, end))
    }
    if (missing === IN_CHUNKS) {
      tail = (tail + chunk.toString('latin1', Math.max(at, size - LAST_CHUNK.length), size)).slice(-LAST_CHUNK.length)
      if (tail !== LAST_CHUNK) return
      tail = ''
    } else {
      missing -= size - at
      if (missing > 0) return
    }
    const answer = head
    head = ''
    missing = -1
    onAnswer(Number(answer.slice(9, 12)), answer.slice(answer.indexOf('\r\n\r\n') + 4, 600))
  }
}

function lengthOf(head: string): number {
  if (/^HTTP\/1\.1 (204|304)/.test(head)) return 0
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head)) return IN_CHUNKS
  if (length === undefined) throw new Error('an answer did not say its length')
  return Number(length)
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Linux counts CPU time in hundredths of a second; other systems report nothing. */
function cpuMsOf(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return null
  }
}
