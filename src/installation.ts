// The folder of the installation, with package.json and the built pages; the program's version.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Right in src/ and in dist/, where the bundle has this module: both are directly below it. */
export const ROOT = join(import.meta.dirname, '..')

export const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version
