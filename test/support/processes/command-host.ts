// A process that runs one command after another with its modules loaded once; each has its own arguments and streams.
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type { CommandResult } from './process.ts'

export interface CommandCall {
  args: readonly string[]
  folder: string
  environment: Record<string, string>
  input: string
}

const MAIN = join(import.meta.dirname, '..', '..', '..', 'src', 'main.ts')
const homeFolder = process.cwd()
let calls = 0

process.on('message', async (call: CommandCall) => process.send!(await runCall(call)))
process.on('disconnect', () => process.exit())

/** The entry module is evaluated for each call; its imports stay loaded. */
async function runCall({ args, folder, environment, input }: CommandCall): Promise<CommandResult> {
  const [stdout, stderr] = [new Capture(), new Capture()]
  const streams = {
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false }),
    stdout,
    stderr,
  }
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true })
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, environment)
  process.argv = [process.execPath, MAIN, ...args]
  process.exitCode = undefined
  process.chdir(folder)
  await (await import(`${pathToFileURL(MAIN)}?call=${++calls}`)).finished
  const code = Number(process.exitCode ?? 0)
  process.exitCode = undefined
  process.chdir(homeFolder)
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

class Capture extends Writable {
  readonly #chunks: Buffer[] = []

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk)
    done()
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString()
  }
}
