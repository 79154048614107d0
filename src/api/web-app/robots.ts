// robots.txt: programs may read the pages and what these load, and nothing else of the API.
import type { Site } from '../../http/site.ts'

export const writeRobots = ({ origin, root, base }: Site): string =>
  `User-agent: *\nAllow: ${base}/public/events?\nAllow: ${base}/public/categories\nDisallow: ${base}/\nSitemap: ${origin}${root}/sitemap.xml\n`
