// robots.txt: programs may read the pages, and not the API.
import type { Site } from '../../http/site.ts'

export const writeRobots = ({ origin, root, base }: Site): string =>
  `User-agent: *\nDisallow: ${base}/\nSitemap: ${origin}${root}/sitemap.xml\n`
