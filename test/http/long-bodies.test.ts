// Long bodies: many that end at the same moment are parsed in turn; their bytes are bounded by network and account.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { eventText, MAIN } from '../caldav/support/events.ts'
import { listen } from '../support/http/socket.ts'
import { assertShortTurns } from '../support/measure/turns.ts'
import { waitFor } from '../support/measure/wait-for.ts'
import { basicOf, type World, withWorld } from '../support/world.ts'

const AUTHORIZATION = basicOf('writer@example.org')

interface Upload {
  /** Sends the last byte, and resolves with the status of the response. */
  finish(): Promise<string>
  socket: Socket
}

const beginPut = (
  port: number,
  from: string,
  name: string,
  body: Buffer,
  headers: string[],
  as?: string,
): Promise<Upload> => begin(port, from, `PUT ${MAIN}${name}`, body, headers, as)

/** A request with all but its last byte sent. */
async function begin(
  port: number,
  from: string,
  target: string,
  body: Buffer,
  headers: string[],
  as = AUTHORIZATION,
): Promise<Upload> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  const head = [`${target} HTTP/1.1`, 'host: localhost', `authorization: ${as}`, ...headers, '', '']
  socket.write(head.join('\r\n'))
  if (!socket.write(body.subarray(0, -1))) await once(socket, 'drain')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  const finish = async (): Promise<string> => {
    socket.write(body.subarray(-1))
    await waitFor('an answer', () => text.includes('\r\n'))
    return text.split(' ')[1]!
  }
  return { finish, socket }
}

const lengthOf = (body: Buffer): string[] => ['content-type: text/calendar', `content-length: ${body.length}`]

/** Takes some milliseconds to parse; refused right after. */
const LONG_JSON = Buffer.from(
  JSON.stringify({ other: Array.from({ length: 16_000 }, (_, i) => `value-${10_000 + i}`) }),
)
const JSON_HEADERS = ['content-type: application/json', `content-length: ${LONG_JSON.length}`]

/** Refused right after it is read. */
const LONG = Buffer.from(`BEGIN:VCALENDAR\r\n${`X-A:${'\u6f22'.repeat(300)}\r\n`.repeat(1_000)}`)

const POST = 'POST /api-root/calendar/v1/events'

test('bodies that end at the same moment are parsed in short turns', () =>
  withWorld('sqlite', async ({ app }: World) => {
    const port = await listen(app)
    let uploads: Upload[] = []
    const prepare = async (): Promise<void> => {
      uploads = await Promise.all(
        Array.from({ length: 60 }, (_, i) => begin(port, `127.0.${i % 4}.9`, POST, LONG_JSON, JSON_HEADERS)),
      )
    }
    const finish = () => Promise.all(uploads.map((upload) => upload.finish()))
    const { result } = await assertShortTurns('bodies', { ms: 70 }, finish, prepare)
    for (const { socket } of uploads) socket.destroy()
    assert.ok(
      result.every((status) => status === '422'),
      result.join(),
    )
  }))

test('the bytes of bodies that one network sends are bounded, and short bodies are not counted', () =>
  withWorld(
    'sqlite',
    async ({ app }: World) => {
      const port = await listen(app)
      const held = await Promise.all([0, 1].map((i) => beginPut(port, '127.0.0.9', `${i}.ics`, LONG, lengthOf(LONG))))
      const chunked = ['content-type: text/calendar', 'transfer-encoding: chunked']
      const send = async (from: string, body: Buffer, headers: string[]) => {
        const upload = await beginPut(port, from, 'more.ics', body, headers)
        const status = await upload.finish()
        upload.socket.destroy()
        return status
      }
      await waitFor('a third is refused', async () => (await send('127.0.0.9', LONG, lengthOf(LONG))) === '503')
      assert.equal(
        await send('127.0.0.9', Buffer.from('5\r\nhello\r\n0\r\n\r\n'), chunked),
        '503',
        'one that does not say its length',
      )
      const short = Buffer.from(eventText('short'))
      assert.equal(await send('127.0.0.9', short, lengthOf(short)), '201')
      assert.equal(await send('127.0.1.9', LONG, lengthOf(LONG)), '403', 'another network')
      for (const upload of held) assert.equal(await upload.finish(), '403')
      for (const { socket } of held) socket.destroy()
      assert.equal(await send('127.0.0.9', LONG, lengthOf(LONG)), '403', 'their bytes are free again')
    },
    { patience: { bodyBytesPerNetwork: 2_000_000 } },
  ))

test('body bytes are limited per account and in total, across any number of networks', () =>
  withWorld(
    'sqlite',
    async ({ app }: World) => {
      const port = await listen(app)
      let network = 0
      const put = (name: string, as?: string): Promise<Upload> =>
        beginPut(port, `127.1.${network++ % 200}.9`, `${name}.ics`, LONG, lengthOf(LONG), as)
      const isRefused = async (as?: string): Promise<boolean> => {
        const upload = await put('more', as)
        const status = await upload.finish()
        upload.socket.destroy()
        return status === '503'
      }
      const held: Upload[] = []
      /** Sends again what was refused itself: on a busy machine, requests may be admitted in another order than sent. */
      const isRefusedBeside = async (uploads: readonly string[], as?: string): Promise<boolean> => {
        for (const [i, name] of uploads.entries()) {
          if (held[i]?.socket.bytesRead === 0) continue
          held[i]?.socket.destroy()
          held[i] = await put(name, i < 2 ? undefined : basicOf('admin@example.org'))
        }
        return isRefused(as)
      }
      await waitFor('a third of the same account is refused', () => isRefusedBeside(['a', 'b']))
      const asAdmin = basicOf('admin@example.org')
      await waitFor('three are all that are taken', () => isRefusedBeside(['a', 'b', 'c'], asAdmin))
      for (const upload of held) assert.equal(await upload.finish(), '403')
      for (const { socket } of held) socket.destroy()
      await waitFor('their bytes are free again', async () => !(await isRefused()))
    },
    { patience: { bodyBytesPerAccount: 2_000_000, bodyBytes: 3_000_000 } },
  ))
