// Loaded before src/main.ts by the launcher: ends this process when the launcher has died.
import { constants } from 'node:os'
import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.channel) {
  process.once('disconnect', () => {
    // Same as a request to stop: the service finishes its requests and closes the database. Commands have no handler.
    const isHandled = process.emit('SIGTERM', 'SIGTERM', constants.signals.SIGTERM)
    if (!isHandled) process.exit(128 + constants.signals.SIGTERM)
  })
  // A command that is done exits although its launcher is still running.
  process.channel.unref()
}
