// Shows plain text: keeps line breaks, links web addresses, and interprets nothing else.
import type { JSX } from 'preact'
import { splitAddresses } from '../../../src/words/linked-text.ts'

export const PlainText = ({ text }: { text: string }): JSX.Element => (
  <p class="plain-text">
    {splitAddresses(text).map((part, i) => (part.isAddress ? <OutLink href={part.text} key={i} /> : part.text))}
  </p>
)

/** Link to another site, without a referrer. */
export const OutLink = ({ href }: { href: string }): JSX.Element => (
  <a href={/^https?:\/\//i.test(href) ? href : undefined} target="_blank" rel="noopener noreferrer nofollow ugc">
    {href}
  </a>
)
