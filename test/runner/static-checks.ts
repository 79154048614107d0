// Type checks of each project and lint, two at a time: one alone leaves a core unused for a third of its time.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

interface StaticCheck {
  name: string
  args: readonly string[]
}

const PROJECTS = ['.', 'web', 'test/web']
const AT_ONCE = 2

/** Returns the name of the first check that failed; prints the output of each when it has ended, in order. */
export async function runStaticChecks(root: string, print: (text: string) => void): Promise<string | undefined> {
  const checks = listChecks(root)
  const results: Promise<{ name: string; output: string; isRight: boolean }>[] = []
  for (const [i, check] of checks.entries()) {
    const earlier = results[i - AT_ONCE]
    results.push(Promise.resolve(earlier).then(async () => ({ name: check.name, ...(await runCheck(root, check)) })))
  }
  let failed: string | undefined
  for (const result of results) {
    const { name, output, isRight } = await result
    print(`── ${name}\n${output}`)
    if (!isRight) failed ??= name
  }
  return failed
}

function listChecks(root: string): StaticCheck[] {
  const typescript = join(root, 'node_modules/typescript/bin/tsc')
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  return [
    ...PROJECTS.map((project) => ({ name: `types in ${project}`, args: [typescript, '-p', join(root, project)] })),
    { name: 'lint', args: [biome, 'check', '--error-on-warnings', root] },
  ]
}

function runCheck(root: string, { args }: StaticCheck): Promise<{ output: string; isRight: boolean }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve({ output, isRight: code === 0 }))
  })
}
