// Makes a temporary folder for a command, or says why there is none.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { explainWriting } from '../explain.ts'

export function makeTemporaryFolder(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix))
  } catch (error) {
    throw explainWriting(tmpdir(), error)
  }
}
