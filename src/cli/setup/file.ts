// Writes daybook.json atomically and readable only by its owner: it may contain passwords.
import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Answers } from './settings.ts'

export const writeSettings = (path: string, answers: Answers): void =>
  writeBeside(path, `${JSON.stringify(answers, null, 2)}\n`, renameSync)

/** Checked before anything is asked or created, by writing to the same place. */
export const requireWritable = (path: string): void => writeBeside(path, '', (fresh) => rmSync(fresh))

function writeBeside(path: string, text: string, finish: (fresh: string, target: string) => void): void {
  // If the file is a symbolic link, its target is written, and the link stays.
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
