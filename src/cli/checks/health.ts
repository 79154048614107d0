// `daybook health`: asks the service on this machine whether it is ready, for HEALTHCHECK.
import { loadConfig } from '../../config.ts'
import { askLocalService } from '../../doctor/checks/service.ts'
import { type Command, writeLine } from '../command.ts'

/** Readiness answers within about a second. */
const TIMEOUT_MS = 4_000

export const healthCommand: Command = {
  usage: `Usage: daybook health

Asks the service on this machine for /readyz, by its settings (host, port, TLS). Prints
one line and exits with 0 if it is ready, with 1 if not. For HEALTHCHECK of a container.`,
  options: {},
  async act() {
    const local = await askLocalService(loadConfig(), TIMEOUT_MS)
    if (!local) throw new Error('port is 0, so the port of the service is not known')
    if (local.state !== 'ready') throw new Error(local.message)
    writeLine(local.message)
  },
}
