// Dialog to subscribe to the calendar: links for common programs, and the feed address.
import type { JSX } from 'preact'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'

export interface SubscribeDialogProps {
  categories: readonly string[]
  onClose(): void
}

export function SubscribeDialog({ categories, onClose }: SubscribeDialogProps): JSX.Element {
  const category = categories.join(', ')
  const query = new URLSearchParams(categories.map((name) => ['category', name]))
  const feed = `${site.origin}${site.api}/public/calendar.ics${category ? `?${query}` : ''}`
  const webcal = feed.replace(/^https?:/, 'webcal:')
  const name = category ? `${site.name}: ${category}` : site.name
  const programs: [text: string, href: string][] = [
    [words.calendar.withApple, webcal],
    [words.calendar.withGoogle, `https://calendar.google.com/calendar/render?${new URLSearchParams({ cid: webcal })}`],
    [words.calendar.withOutlook, outlook('outlook.live.com', feed, name)],
    [words.calendar.withOffice, outlook('outlook.office.com', feed, name)],
    [words.calendar.withProgram, webcal],
  ]
  return (
    <Dialog title={words.calendar.subscribeTitle} onClose={onClose}>
      <p>{words.calendar.subscribeIntro}</p>
      {category && <p class="quiet">{words.calendar.subscribeCategory(category)}</p>}
      <ul class="subscribe-ways">
        {programs.map(([text, href]) => (
          <li key={text}>
            <a class="button" href={href} target={href.startsWith('https:') ? '_blank' : undefined} rel="noreferrer">
              {text}
            </a>
          </li>
        ))}
      </ul>
      <CopyField label={words.calendar.subscribeLink} text={feed} />
    </Dialog>
  )
}

const outlook = (host: string, url: string, name: string): string =>
  `https://${host}/calendar/0/addfromweb?${new URLSearchParams({ url, name })}`
