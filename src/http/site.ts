// Where the service is: its paths with and without the slug, and links built from the configured address alone.
import type { Config } from '../config.ts'

/** Under the root, everything below is for programs. */
export const API_ROOT = '/api-root'
const API_PATH = `${API_ROOT}/calendar/v1`
const DAV_PATH = '/caldav'

export interface Site {
  /** '' or '/slug'. */
  root: string
  /** The canonical base path of the API. */
  base: string
  /** The base path without the slug, where a redirect waits; undefined when there is no slug. */
  bareBase: string | undefined
  /** Where calendar programs find everything, without the slash at its end. */
  davBase: string
  bareDavBase: string | undefined
  origin: string
  isSecure: boolean
}

export function siteOf(config: Config): Site {
  const root = config.urlSlug ? `/${config.urlSlug}` : ''
  return {
    root,
    base: `${root}${API_PATH}`,
    bareBase: root ? API_PATH : undefined,
    davBase: `${root}${DAV_PATH}`,
    bareDavBase: root ? DAV_PATH : undefined,
    origin: config.publicUrl.origin,
    isSecure: config.publicUrl.protocol === 'https:',
  }
}
