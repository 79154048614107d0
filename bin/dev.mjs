// Runs the service for `npm run dev`, restarts it when a watched file changes, and ends with its launcher.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { root } from './launcher.mjs'

/** An editor may write several files at once. */
const SETTLE_MS = 100

const [folder, ...args] = process.argv.slice(2)
const preload = new URL('./end-with-launcher.mjs', import.meta.url).href
let service
let isEnding = false
let isRestarting = false
let timer

// `node --watch` is not used: a watcher cannot be ended when the process that started it is killed.
function start() {
  isRestarting = false
  service = spawn(process.execPath, ['--import', preload, join(root, 'src', 'main.ts'), 'start', ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  service.on('exit', (code) => {
    service = undefined
    if (isEnding) process.exit(code ?? 1)
    if (isRestarting) start()
    else process.stderr.write('daybook: the service ended; it starts again when a file changes\n')
  })
}

function restart() {
  isRestarting = true
  if (service) service.kill('SIGTERM')
  else start()
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    isEnding = true
    if (service) service.kill(signal)
    else process.exit(0)
  })
}
watch(folder, { recursive: true }, () => {
  clearTimeout(timer)
  timer = setTimeout(restart, SETTLE_MS)
})
start()
