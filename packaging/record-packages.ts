// Bundler plugin: lists the packages whose code a build contains, for licences and SBOM.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'

const root = join(import.meta.dirname, '..')

/** In each built folder: paths such as "node_modules/pg". Two builds may share one; the second adds its packages. */
export const PACKAGES_FILE = '.packages.json'

/** `copied` are files of packages that the build encloses as they are. */
export function recordPackages(folder: string, copied: readonly string[] = []): Plugin {
  return {
    name: 'record-packages',
    generateBundle(_options, bundle) {
      const ids = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk' ? output.moduleIds.filter((id) => hasCode(id, output.modules[id])) : [],
      )
      mkdirSync(folder, { recursive: true })
      const path = join(folder, PACKAGES_FILE)
      const copiedIds = copied.map((file) => join(root, file))
      const paths = new Set([...readPaths(path), ...[...ids, ...copiedIds].flatMap((id) => packageOf(id) ?? [])])
      writeFileSync(path, `${JSON.stringify([...paths].sort(), null, 2)}\n`)
    },
  }
}

/** Nothing is left in the chunk of a module that is not used, nor of a stylesheet, which goes to its own file. */
function hasCode(id: string, module: { renderedLength: number } | undefined): boolean {
  return module === undefined || module.renderedLength > 0 || /\.css(?:\?|$)/.test(id)
}

/** As in package-lock.json. The bundler's own helpers have ids such as "\0vite/preload-helper.js". */
function packageOf(id: string): string | undefined {
  const helper = /^\0(vite|rolldown)\//.exec(id)
  if (helper) return `node_modules/${helper[1]}`
  const path = relative(root, id).replaceAll('\\', '/')
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0]
}

function readPaths(path: string): string[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return []
  }
}
