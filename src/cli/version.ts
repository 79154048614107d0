// `daybook --version`: version, and commit and date of the build where they are known.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, VERSION } from '../installation.ts'

export function describeVersion(root = ROOT, moduleFolder: string = import.meta.dirname): string {
  const { commit = findCommit(root), built_at: builtAt } = readBuild([root, moduleFolder])
  const details = [commit && `commit ${commit.slice(0, 12)}`, builtAt && `built ${builtAt.slice(0, 10)}`].filter(
    Boolean,
  )
  return `daybook ${VERSION}${details.length > 0 ? ` (${details.join(', ')})` : ''}`
}

interface BuildFacts {
  commit?: string | undefined
  built_at?: string | undefined
}

/** In the folder of a release, or beside the bundle of a clone; there is none beside the sources. */
function readBuild(folders: readonly string[]): BuildFacts {
  for (const folder of folders) {
    try {
      const { commit, built_at } = JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8'))
      return { commit: typeof commit === 'string' ? commit : undefined, built_at }
    } catch {
      // The next place.
    }
  }
  return {}
}

/** The commit of a clone, read from its files: starting git takes longer than the rest of the command. */
function findCommit(root: string): string | undefined {
  try {
    const head = readFileSync(join(root, '.git', 'HEAD'), 'utf8').trim()
    const branch = /^ref: (.+)$/.exec(head)?.[1]
    const commit = branch ? readBranch(root, branch) : head
    return /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined
  } catch {
    return undefined
  }
}

function readBranch(root: string, branch: string): string {
  try {
    return readFileSync(join(root, '.git', branch), 'utf8').trim()
  } catch {
    const packed = readFileSync(join(root, '.git', 'packed-refs'), 'utf8').split('\n')
    return packed.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0] ?? ''
  }
}
