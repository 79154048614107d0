// Writes daybook.json whole or not at all, and for its owner alone: it may hold passwords.
import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Answers } from './settings.ts'

export const writeSettings = (path: string, answers: Answers): void =>
  writeBeside(path, `${JSON.stringify(answers, null, 2)}\n`, renameSync)

/** Found out before anything is asked or made, by writing to the same place. */
export const requireWritable = (path: string): void => writeBeside(path, '', (fresh) => rmSync(fresh))

function writeBeside(path: string, text: string, finish: (fresh: string, target: string) => void): void {
  // Where the file is a link, what it leads to is written, and stays linked.
  const target = existsSync(path) ? realpathSync(path) : path
  const fresh = `${target}.${process.pid}.new`
  try {
    writeFileSync(fresh, text, { mode: 0o600, flag: 'wx', flush: true })
    finish(fresh, target)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw new Error(`${path} cannot be written: ${(error as Error).message}`)
  }
}
