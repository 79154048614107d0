// The site this page belongs to, as the server wrote it into the page.
import type { SiteFacts } from '../src/contract/site.ts'

export const site: SiteFacts = JSON.parse(document.getElementById('site')!.textContent!)

/** The address of a page or a file of this site. */
export const under = (path: string): string => `${site.root}${path}`

/** The same for the world outside this browser. */
export const outward = (path: string): string => `${site.origin}${site.root}${path}`
