// Where the service is: its paths with and without the slug, and links built from the configured address alone.
import type { Config } from '../config.ts'

const API_PATH = '/api-root/calendar/v1'

export interface Site {
  /** '' or '/slug'. */
  root: string
  /** The canonical base path of the API. */
  base: string
  /** The base path without the slug, where a redirect waits; undefined when there is no slug. */
  bareBase: string | undefined
  origin: string
  isSecure: boolean
}

export function siteOf(config: Config): Site {
  const root = config.urlSlug ? `/${config.urlSlug}` : ''
  return {
    root,
    base: `${root}${API_PATH}`,
    bareBase: root ? API_PATH : undefined,
    origin: config.publicUrl.origin,
    isSecure: config.publicUrl.protocol === 'https:',
  }
}
