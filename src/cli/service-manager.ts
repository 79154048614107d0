// sd_notify: tells systemd when the service is ready, alive (watchdog) or stopping.
import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { canRead } from '../actions/maintenance/readiness.ts'
import type { App } from '../app.ts'
import { readVariable } from '../environment.ts'
import { type Interval, startInterval } from '../scheduling/interval.ts'

export interface ServiceManager {
  /** To be called when a stop begins. */
  reportStopping(): void
}

/** systemd's own program sends a message in milliseconds; one that hangs must not delay the next. */
const SEND_TIMEOUT_MS = 10_000
const READY_CHECK_MS = 500

/**
 * For a service that listens: reports readiness as soon as the database can be read, then keeps the watchdog fed for as
 * long as it can. Neither needs writes, so a full disk does not end the reads that are still served.
 */
export function reportToServiceManager(app: App): ServiceManager {
  const { log } = app.ctx
  const send = createSender((reason) => log.warn('systemd-notify cannot be run', { reason }))
  let isStopping = false
  let watchdog: Interval | undefined
  const begin = async (): Promise<void> => {
    while (!(await canRead(app.ctx))) await delay(READY_CHECK_MS, undefined, { ref: false })
    if (isStopping) return
    await send('READY=1')
    const everyMs = watchdogIntervalMs()
    // A blocked event loop runs no timer, so a message also means that it turns.
    if (!everyMs || isStopping) return
    watchdog = startInterval(everyMs, async () => (await canRead(app.ctx)) && send('WATCHDOG=1'))
  }
  begin().catch((error) => log.warn('readiness could not be reported', { reason: (error as Error).message }))
  return {
    reportStopping() {
      if (isStopping) return
      isStopping = true
      void watchdog?.stop()
      void send('STOPPING=1')
    },
  }
}

/**
 * Node has no datagram sockets of the Unix domain, which the protocol uses. systemd-notify is part of systemd, and
 * waits until its message has been read, so that systemd can still see whose it is.
 */
function createSender(onFailure: (reason: string) => void): (state: string) => Promise<void> {
  let hasFailed = false
  return (state) =>
    new Promise((resolve) => {
      execFile('systemd-notify', [state], { timeout: SEND_TIMEOUT_MS }, (error) => {
        if (error && !hasFailed) onFailure(String(error.code ?? error.message))
        hasFailed = error !== null
        resolve()
      })
    })
}

/** Half of what systemd allows. The launcher, where it stays above the service, is the process that systemd names. */
function watchdogIntervalMs(): number | undefined {
  const pid = readVariable('WATCHDOG_PID')
  if (pid !== undefined && ![process.pid, process.ppid].includes(Number(pid))) return undefined
  const usec = Number(readVariable('WATCHDOG_USEC'))
  return usec > 0 ? usec / 2_000 : undefined
}
