// Shows plain text: keeps line breaks, links web addresses, and interprets nothing else.
import type { JSX } from 'preact'

const ADDRESS = /(https?:\/\/[^\s<>"]+)/
/** Punctuation at the end belongs to the sentence, not to the address. */
const TRAILING = /[.,;:!?)\]}’”]$/

export const PlainText = ({ text }: { text: string }): JSX.Element => (
  <p class="plain-text">
    {text.split(ADDRESS).map((part, i) => (i % 2 === 1 ? <Address text={part} key={i} /> : part))}
  </p>
)

function Address({ text }: { text: string }): JSX.Element {
  let end = text.length
  while (end > 0 && TRAILING.test(text.slice(end - 1, end))) end -= 1
  return (
    <>
      <OutLink href={text.slice(0, end)} />
      {text.slice(end)}
    </>
  )
}

/** Link to another site, without a referrer. */
export const OutLink = ({ href }: { href: string }): JSX.Element => (
  <a href={/^https?:\/\//i.test(href) ? href : undefined} target="_blank" rel="noopener noreferrer nofollow ugc">
    {href}
  </a>
)
