// Writes daybook.json whole or not at all, and for its owner alone: it may hold passwords.
import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Answers } from './settings.ts'

export function writeSettings(path: string, answers: Answers): void {
  // Where the file is a link, what it leads to is written, and stays linked.
  const target = existsSync(path) ? realpathSync(path) : path
  const fresh = `${target}.${process.pid}.new`
  try {
    writeFileSync(fresh, `${JSON.stringify(answers, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(fresh, target)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw new Error(`${path} cannot be written: ${(error as Error).message}`)
  }
}
