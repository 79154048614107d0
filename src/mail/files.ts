// File transport: without a mail server each mail becomes a file under the data folder.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Instant } from '../domain/time/instant.ts'
import { formatBasicLocal } from '../domain/time/text.ts'
import { type AddressedMessage, composeMail } from './compose.ts'
import type { SendOutcome, Transport } from './send-outcome.ts'

export function createFileTransport(config: Config): Transport {
  const folder = join(config.dataDir, 'mail')
  const attempt = async (work: () => Promise<SendOutcome>): Promise<SendOutcome> => {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return await work()
    } catch (error) {
      return { result: 'unreachable', problem: 'unreachable', cause: (error as { code?: string }).code ?? 'unknown' }
    }
  }
  return {
    verify: () => attempt(async () => ({ result: 'sent' })),
    send: (letter) => attempt(async () => ({ result: 'sent', file: await writeLetter(config, folder, letter) })),
  }
}

/** Written atomically and readable only by its owner: it contains a link that is as good as a password. */
async function writeLetter(config: Config, folder: string, letter: AddressedMessage): Promise<string> {
  const path = join(folder, `${timeName(letter.writtenAt)}-${letter.id}.eml`)
  const unfinished = `${path}.tmp`
  const bytes = await composeMail(config, letter, 'for_a_reader')
  try {
    await writeFile(unfinished, bytes, { mode: 0o600, flush: true })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  return path
}

/** In UTC, so that the files of a folder sort by time even when clocks go back. */
const timeName = (at: Instant): string => `${formatBasicLocal(at)}Z`
