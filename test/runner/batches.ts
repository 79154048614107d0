// Groups test files into processes: starting a process and warming up costs more than most files take.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Neighbours of one folder, so that a batch is about one thing; not so many that the last batch keeps everyone waiting. */
const MOST_FILES = 6

/** Writes a module for each process, which only loads its files; returns the paths of the modules. */
export function writeBatches(root: string, runFolder: string, batches: readonly (readonly string[])[]): string[] {
  const folder = join(runFolder, 'batches')
  mkdirSync(folder, { recursive: true })
  return batches.map((batch) => {
    const path = join(folder, `${batch[0]!.replaceAll('/', '-')}.mjs`)
    writeFileSync(path, batch.map((file) => importOf(root, file)).join(''))
    return path
  })
}

/** The first line marks where the file's tests begin, for the report of costs. */
const importOf = (root: string, file: string): string =>
  `import '${pathToFileURL(join(root, 'test/runner/mark-file.ts'))}?file=${encodeURIComponent(file)}'
import '${pathToFileURL(join(root, file))}'
`

export function groupFiles(files: readonly string[]): string[][] {
  const byFolder = Map.groupBy(files, (file) => file.split('/')[1])
  return [...byFolder.values()].flatMap((own) => {
    const count = Math.ceil(own.length / MOST_FILES)
    return Array.from({ length: count }, (_, i) => own.filter((_file, place) => place % count === i))
  })
}
