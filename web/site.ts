// Facts about the site (root, API path, name, zone) that the server embedded in the page as JSON.
import type { SiteFacts } from '../src/contract/site.ts'

export const site: SiteFacts = JSON.parse(document.getElementById('site')!.textContent!)

/** The path of a page or a file of this site. */
export const pathUnder = (path: string): string => `${site.root}${path}`

/** The absolute URL, for use outside this browser. */
export const absoluteUrl = (path: string): string => `${site.origin}${site.root}${path}`
