// Base paths of the API and CalDAV with and without the slug, and the origin from the public URL.
import type { Config } from '../config.ts'

/** Under the root; everything below it is for programs. */
export const API_ROOT = '/api-root'
const API_PATH = `${API_ROOT}/calendar/v1`
const DAV_PATH = '/caldav'

export interface Site {
  /** '' or '/slug'. */
  root: string
  /** The canonical base path of the API. */
  base: string
  /** The base path without the slug, which redirects; undefined when there is no slug. */
  bareBase: string | undefined
  /** Base path for calendar clients, without the trailing slash. */
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
