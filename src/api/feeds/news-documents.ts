// Atom (RFC 4287) and JSON Feed 1.1 of the public events that come next, and sitemap.xml.
import type { NewsItem } from '../../actions/feeds/upcoming-feed.ts'
import type { Language } from '../../domain/languages.ts'
import { stripXmlRefused } from '../../domain/plain-text.ts'
import { formatUtc } from '../../domain/time/text.ts'
import { createSliceTimer } from '../../scheduling/event-loop.ts'
import { formatTimes } from '../../words/format-times.ts'
import { wordsFor } from '../../words/words.ts'
import { html, verbatim } from '../docs-page/html.ts'
import { datePathOf, pagePathOf, type SitePlace } from '../event-page/page-facts.ts'
import { presentPlace } from '../events/present.ts'

interface WrittenItem {
  url: string
  title: string
  /** When and where. */
  summary: string
  description: string | null
  category: string | null
  updated: string
}

function writeItem(site: SitePlace, language: Language, { date, updatedAt }: NewsItem): WrittenItem {
  const { event, key } = date
  const { title, location, description, category } = event.details
  const when = formatTimes(presentPlace(event, site.zone), site.zone.name, wordsFor(language).times)
  const path = event.isRecurring && key !== undefined ? datePathOf(site, date) : pagePathOf(site, event)
  return {
    url: `${site.origin}${path}`,
    title,
    summary: location ? `${when} · ${location}` : when,
    description,
    category,
    updated: formatUtc(updatedAt),
  }
}

const LONG_AGO = '1970-01-01T00:00:00Z'

/** In the calendar's own language: programs read it for many people. */
export function writeAtom(site: SitePlace, news: readonly NewsItem[], language: Language): string {
  const items = news.map((item) => writeItem(site, language, item))
  const home = `${site.origin}${site.root}/`
  const updated = items.map((item) => item.updated).reduce((last, one) => (one > last ? one : last), LONG_AGO)
  const { markup } = html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<title>${site.name}</title>
<id>${home}feed.xml</id>
<link rel="self" type="application/atom+xml" href="${home}feed.xml"/>
<link rel="alternate" type="text/html" href="${home}"/>
<author><name>${site.name}</name></author>
<updated>${updated}</updated>
${items.map(
  ({ url, title, summary, description, category, updated }) => html`<entry>
<title>${title}</title>
<id>${url}</id>
<link href="${url}"/>
<updated>${updated}</updated>
${category === null ? undefined : html`<category term="${category}"/>\n`}<summary>${summary}</summary>
${description === null ? undefined : html`<content type="text">${description}</content>\n`}</entry>
`,
)}</feed>
`
  return stripXmlRefused(markup)
}

export function writeJsonFeed(site: SitePlace, news: readonly NewsItem[], language: Language): string {
  const home = `${site.origin}${site.root}/`
  const items = news
    .map((item) => writeItem(site, language, item))
    .map(({ url, title, summary, description, category, updated }) => ({
      id: url,
      url,
      title,
      summary,
      content_text: description === null ? summary : `${summary}\n\n${description}`,
      date_modified: updated,
      ...(category === null ? {} : { tags: [category] }),
    }))
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: site.name,
    home_page_url: home,
    feed_url: `${home}feed.json`,
    language,
    items,
  })
}

const URLS_AT_ONCE = 500

/** In steps: the longest one has tens of thousands of addresses. */
export async function writeSitemap(
  { origin, root }: Pick<SitePlace, 'origin' | 'root'>,
  events: readonly { id: string; updated_at: number }[],
): Promise<string> {
  const timer = createSliceTimer()
  const parts: string[] = []
  for (let i = 0; i < events.length; i += URLS_AT_ONCE) {
    const lines = events
      .slice(i, i + URLS_AT_ONCE)
      .map(
        ({ id, updated_at }) =>
          html`<url><loc>${origin}${root}/events/${id}</loc><lastmod>${formatUtc(updated_at)}</lastmod></url>\n`,
      )
    parts.push(...lines.map(({ markup }) => markup))
    await timer.pause()
  }
  return html`<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>${origin}${root}/</loc></url>
${verbatim(parts.join(''))}</urlset>
`.markup
}
