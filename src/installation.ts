// The folder of the installation, with package.json and the built pages; the program's version.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Right in src/ and in dist/, where the bundle has this module: both are directly below it. */
export const ROOT = join(import.meta.dirname, '..')

export const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version

/** A release has no sources: there `daybook` is a command of the machine, in a checkout it is one of the package. */
const isRelease = !existsSync(join(ROOT, 'src'))

/** For messages: how commands are run here, and the service is started. */
export const COMMAND = isRelease ? 'daybook' : 'npx daybook'
export const START_COMMAND = isRelease ? 'daybook start' : 'npm start'
