// The folder of the installation, which holds package.json and the built pages.
import { join } from 'node:path'

/** Right in src/ and in dist/, where the bundle has this module: both are directly below it. */
export const ROOT = join(import.meta.dirname, '..')
