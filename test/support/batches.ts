// Test files that share a process: starting one and warming up costs more than most files take.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Neighbours of one folder, so that a batch is about one thing; not so many that the last batch keeps everyone waiting. */
const MOST_FILES = 4

/** Writes a module for each batch, which does nothing but load its files; answers where they are. */
export function writeBatches(root: string, files: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-test-batches-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return batchesOf(files).map((batch, i) => {
    const path = join(folder, `${String(i + 1).padStart(2, '0')}.mjs`)
    writeFileSync(path, batch.map((file) => `import '${pathToFileURL(join(root, file))}'\n`).join(''))
    return path
  })
}

function batchesOf(files: readonly string[]): string[][] {
  const byFolder = Map.groupBy(files, (file) => file.split('/')[1])
  return [...byFolder.values()].flatMap((own) => {
    const count = Math.ceil(own.length / MOST_FILES)
    return Array.from({ length: count }, (_, i) => own.filter((_file, place) => place % count === i))
  })
}
