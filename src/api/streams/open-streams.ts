// Open change streams of this node: limits, fan-out, heartbeats, and when each of them ends.
import type { ServerResponse } from 'node:http'
import { hasSameSight } from '../../actions/access/live-credential.ts'
import { createChangeWatch, type WatchedCounters } from '../../actions/changes/change-watch.ts'
import { currentToken } from '../../actions/changes/sync-token.ts'
import type { Context } from '../../context.ts'
import { type Sight, sightOf, type Viewer } from '../../domain/privacy/viewer.ts'
import { AppError } from '../../errors.ts'
import { countWhileOpen, createNetworkCounter } from '../../http/connections/network-counter.ts'
import { countRefusal } from '../../ops/metrics.ts'
import { createYielder } from '../../scheduling/event-loop.ts'
import { startInterval } from '../../scheduling/interval.ts'

/** Constants of the service, not settings: only tests pass other values. */
export interface StreamLimits {
  /** Anonymous streams of one network; wider networks have more, as with connections. */
  perNetwork: number
  perAccount: number
  /** Of all anonymous readers, and of all accounts: most of the connections stay free for requests. */
  anonymous: number
  accounts: number
  heartbeatMs: number
  /** The client then opens another one. */
  lifeMs: number
  /** The least time between two events of one stream. */
  pauseMs: number
  /** A stream with more bytes that its client has not read is ended. */
  unreadBytes: number
}

export const STREAM_LIMITS: StreamLimits = {
  perNetwork: 20,
  perAccount: 10,
  anonymous: 400,
  accounts: 200,
  heartbeatMs: 25_000,
  lifeMs: 30 * 60_000,
  pauseMs: 500,
  unreadBytes: 4_096,
}

export interface StreamOpening {
  response: ServerResponse
  viewer: Viewer
  /** Undefined where the network is that of many clients. */
  address: string | undefined
}

export interface OpenStreams {
  /** Counts the stream until its response is closed; refuses when there are too many. */
  admit(opening: StreamOpening): void
  /** Begins to send events. The client knows everything up to `token`. */
  begin(opening: StreamOpening, token: string): void
  /** Ends all streams, and refuses further ones. */
  endAll(): void
  stop(): Promise<void>
}

interface OpenStream {
  response: ServerResponse
  viewer: Viewer
  sight: Sight
  token: string
  endsAt: number
}

const SIGHTS: readonly Sight[] = ['public', 'full']
const RETRY_AFTER_S = '30'

export function createOpenStreams(ctx: Context, limits: StreamLimits = STREAM_LIMITS): OpenStreams {
  const streams = new Set<OpenStream>()
  const counts = new Map<string, number>()
  const networks = createNetworkCounter(limits.perNetwork)
  const channelOf = (sight: Sight): Channel =>
    createChannel(
      limits,
      (token) => [...streams].some((stream) => stream.sight === sight && stream.token !== token),
      (token) => deliver(sight, token),
    )
  const channels = { public: channelOf('public'), full: channelOf('full') }
  let accountsRevision: number | undefined
  let isEnded = false
  const watch = createChangeWatch(ctx, onCounters)
  ctx.metrics.streams = () => SIGHTS.map((sight) => [sight, listStreams(sight).length])

  function listStreams(sight: Sight): OpenStream[] {
    return [...streams].filter((stream) => stream.sight === sight)
  }

  async function onCounters(state: WatchedCounters): Promise<void> {
    channels.public.offer(currentToken(ctx, 'public', state))
    // Before anything is sent to an account: it may have lost its access with this change.
    if (accountsRevision !== state.accountsRevision) await checkAccounts()
    accountsRevision = state.accountsRevision
    channels.full.offer(currentToken(ctx, 'full', state))
  }

  async function checkAccounts(): Promise<void> {
    const known = new Map<string, Promise<boolean>>()
    for (const stream of [...streams]) {
      const { viewer } = stream
      if (viewer.kind !== 'account') continue
      const key = `${viewer.account.id} ${viewer.proof} ${viewer.credentialId}`
      const isValid = known.get(key) ?? hasSameSight(ctx, viewer)
      known.set(key, isValid)
      await endUnless(stream, isValid)
    }
  }

  async function endUnless({ response }: OpenStream, isValid: Promise<boolean>): Promise<void> {
    if (!(await isValid)) response.end()
  }

  function write({ response }: OpenStream, text: string): void {
    if (response.writableLength > limits.unreadBytes) response.destroy()
    else if (!response.writableEnded) response.write(text)
  }

  async function deliver(sight: Sight, token: string): Promise<void> {
    const pause = createYielder()
    const text = `event: changed\nid: ${token}\ndata: {}\n\n`
    for (const stream of listStreams(sight)) {
      if (stream.token === token) continue
      stream.token = token
      write(stream, text)
      await pause()
    }
  }

  const beat = async (): Promise<void> => {
    const now = performance.now()
    const pause = createYielder()
    for (const stream of [...streams]) {
      if (now >= stream.endsAt) stream.response.end()
      else write(stream, ':\n\n')
      await pause()
    }
    // Sessions and tokens expire without a change of any counter.
    await checkAccounts()
  }
  const beating = startInterval(limits.heartbeatMs, beat)

  const refuse = (): never => {
    countRefusal(ctx.metrics, 'streams')
    throw new AppError('rate_limited', { headers: { 'retry-after': RETRY_AFTER_S } })
  }

  return {
    admit({ response, viewer, address }) {
      if (isEnded) throw new AppError('service_unavailable')
      // Anyone can register: accounts that may not act have no part in the places of those that may.
      const key = viewer.kind === 'account' && !viewer.standing ? viewer.account.id : undefined
      const all = key === undefined ? 'anonymous' : 'accounts'
      if ((counts.get(all) ?? 0) >= limits[all]) refuse()
      if (key !== undefined && (counts.get(`account ${key}`) ?? 0) >= limits.perAccount) refuse()
      if (key === undefined && address !== undefined && !networks.admit(address, response)) refuse()
      countWhileOpen(counts, key === undefined ? [all] : [all, `account ${key}`], response)
    },
    begin({ response, viewer }, token) {
      const sight = sightOf(viewer)
      // Spread, so that streams that were opened together do not all end together.
      const lifeMs = limits.lifeMs * (0.75 + Math.random() / 4)
      const stream = { response, viewer, sight, token, endsAt: performance.now() + lifeMs }
      if (response.destroyed || isEnded) return void response.end()
      streams.add(stream)
      response.once('close', () => {
        streams.delete(stream)
        if (streams.size === 0) watch.setActive(false)
      })
      if (viewer.kind === 'account') void endUnless(stream, hasSameSight(ctx, viewer))
      if (streams.size === 1) watch.setActive(true)
      else watch.check()
    },
    endAll() {
      isEnded = true
      for (const { response } of streams) response.end()
    },
    async stop() {
      this.endAll()
      channels.public.stop()
      channels.full.stop()
      await Promise.all([watch.stop(), beating.stop()])
    },
  }
}

interface Channel {
  /** Delivers the token to streams that have another one; after a pause, if one was delivered just now. */
  offer(token: string): void
  stop(): void
}

/** Each sight has its own pauses: when the public is told of a change does not depend on changes it cannot see. */
function createChannel(
  { pauseMs }: StreamLimits,
  isBehind: (token: string) => boolean,
  deliver: (token: string) => Promise<void>,
): Channel {
  let wanted = ''
  let lastAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const run = (): void => {
    timer = undefined
    lastAt = performance.now()
    void deliver(wanted)
  }
  return {
    offer(token) {
      wanted = token
      if (timer || !isBehind(token)) return
      const waitMs = lastAt + pauseMs - performance.now()
      if (waitMs <= 0) run()
      else timer = setTimeout(run, waitMs).unref()
    },
    stop: () => clearTimeout(timer),
  }
}
