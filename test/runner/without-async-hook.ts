// Preloaded by whole runs: removes the hook by which node:test attributes every promise to its test.
// The hook takes a tenth of the CPU time. Without it an error that no test awaits fails its file instead of its test.
import asyncHooks from 'node:async_hooks'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const { createHook } = asyncHooks
  asyncHooks.createHook = () => createHook({})
  await import('node:test')
  asyncHooks.createHook = createHook
}
