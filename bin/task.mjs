// Tasks behind `npm test`, `npm run dev` and the like: installs everything, then runs one of them.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt, ensureInstalled, root, runOnOwnNode } from './launcher.mjs'

const [task = '', ...rest] = process.argv.slice(2)
const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome')
// As whole test runs do: the hook costs a tenth of the CPU time.
const withoutHook = pathToFileURL(join(root, 'test', 'runner', 'without-async-hook.ts'))
const tasks = {
  test: [join(root, 'test', 'run.ts')],
  'test:long': [join(root, 'test', 'run.ts')],
  check: [join(root, 'test', 'run.ts'), '--static-only'],
  format: [biome, 'check', '--write', '.'],
  dev: [join(root, 'bin', 'dev.mjs'), join(root, 'src')],
  contract: [join(root, 'web', 'build', 'write-contract.ts')],
  words: [join(root, 'web', 'build', 'review-words.ts')],
  screenshot: [join(root, 'web', 'build', 'screenshot.ts')],
  bench: ['--expose-gc', join(root, 'bench', 'run.ts')],
  'bench:scaling': [join(root, 'bench', 'scaling', 'run.ts')],
  release: [join(root, 'packaging', 'release.ts')],
  torture: [`--import=${withoutHook}`, join(root, 'test', 'torture', 'run.ts')],
}
const args = tasks[task]
if (!args && task !== 'build') {
  process.stderr.write(`task.mjs: one of build, ${Object.keys(tasks).join(', ')}\n`)
  process.exit(2)
}
// A release is made without the test tools.
ensureInstalled(task === 'release' ? 'run' : 'all')
// Tests and the bench start the service as `npm start` does, among other ways.
if (['build', 'test', 'test:long', 'release', 'bench', 'bench:scaling'].includes(task))
  ensureBuilt({ withService: true })
else if (['dev', 'screenshot'].includes(task)) ensureBuilt()
if (task === 'test:long') process.env.TEST_LONG = '1'
if (args) runOnOwnNode([...args, ...rest], { name: `npm run ${task}`, endsWithUs: task === 'dev' })
