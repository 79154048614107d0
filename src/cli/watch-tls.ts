// Reloads the TLS certificate and key when their files change or on SIGHUP, without a restart.
import { statSync } from 'node:fs'
import type { Server } from 'node:https'
import type { App } from '../app.ts'
import { readTlsFiles, type TlsPaths } from '../config.ts'
import { tlsOptionsOf } from '../http/connections/tls-options.ts'
import { checkTls } from './check-tls.ts'

/** Programs that renew certificates replace the files or the links to them, which a watcher of one file would miss. */
const CHECK_MS = 5_000

export function watchTlsFiles({ ctx: { log }, server }: App, paths: TlsPaths): void {
  let known = stampOf(paths)
  const reload = (): void => {
    // Before reading: a file that is replaced meanwhile is read again at the next check.
    known = stampOf(paths)
    try {
      const tls = readTlsFiles(paths)
      checkTls(tls)
      const secureServer = server.server as Server
      secureServer.setSecureContext(tlsOptionsOf(tls))
      log.info('the TLS certificate was reloaded')
    } catch (error) {
      log.error('the TLS certificate could not be reloaded; the earlier one is still used', {
        reason: (error as Error).message,
      })
    }
  }
  const checkFiles = (): void => {
    if (stampOf(paths) !== known) reload()
  }
  setInterval(checkFiles, CHECK_MS).unref()
  // In a terminal the signal means that it was closed, which ends the service.
  if (!process.stdout.isTTY) process.on('SIGHUP', reload)
}

/** Changes when one of the files is written, replaced or removed. */
const stampOf = ({ certificatePath, keyPath }: TlsPaths): string =>
  [certificatePath, keyPath].map(stampOfFile).join('\n')

function stampOfFile(path: string): string {
  try {
    const { dev, ino, size, mtimeMs } = statSync(path)
    return `${dev} ${ino} ${size} ${mtimeMs}`
  } catch {
    return ''
  }
}
