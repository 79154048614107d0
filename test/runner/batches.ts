// Groups test files into processes: starting a process and warming up costs more than most files take.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Files of one folder, so that a batch has one subject. Loading the modules and warming up take four seconds of CPU for
 * each process; with more files than this the last process runs alone for too long.
 */
const MOST_FILES = 16

/** Folders with fewer files than this share a process. */
const FEW_FILES = 5

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

/** The first line marks where the file's tests begin, for the cost report. */
const importOf = (root: string, file: string): string =>
  `import '${pathToFileURL(join(root, 'test/runner/mark-file.ts'))}?file=${encodeURIComponent(file)}'
import '${pathToFileURL(join(root, file))}'
`

export function groupFiles(files: readonly string[]): string[][] {
  const folderOf = (file: string): string => file.split('/').slice(1, -1)[0] ?? ''
  const counts = Map.groupBy(files, folderOf)
  const byFolder = Map.groupBy(files, (file) => (counts.get(folderOf(file))!.length < FEW_FILES ? '' : folderOf(file)))
  return [...byFolder.values()].flatMap((own) => {
    const count = Math.ceil(own.length / MOST_FILES)
    return Array.from({ length: count }, (_, i) => own.filter((_file, place) => place % count === i))
  })
}
