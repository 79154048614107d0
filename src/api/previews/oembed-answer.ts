// The oEmbed answer for an event, as JSON and XML: a card in a frame. https://oembed.com (1.0)
import { stripXmlRefused } from '../../domain/plain-text.ts'
import { wordsFor } from '../../words/words.ts'
import { html } from '../docs-page/html.ts'
import { type EventPageFacts, pathOf, shownAt, statusAndWhen, titleOf } from '../event-page/page-facts.ts'
import { picturePathOf } from '../event-page/preview-path.ts'
import { CARD_HEIGHT, CARD_WIDTH } from './event-card.ts'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from './picture-size.ts'

/** The largest card that fits where the answer is shown. */
export interface CardRoom {
  width: number
  height: number
}

export const roomFor = (maxWidth = CARD_WIDTH, maxHeight = CARD_HEIGHT): CardRoom => ({
  width: Math.min(maxWidth, CARD_WIDTH),
  height: Math.min(maxHeight, CARD_HEIGHT),
})

/** An hour: later, a site that shows the card asks again. */
const CACHE_AGE_SECONDS = 3_600

export type OEmbedAnswer = Record<string, string | number>

/** `mayShowPicture` is false where a thumbnail has to be smaller than our pictures. */
export function oembedAnswer(facts: EventPageFacts, room: CardRoom, mayShowPicture: boolean): OEmbedAnswer {
  const { site } = facts
  const words = wordsFor(site.language)
  const shown = shownAt(facts)
  const title = titleOf(shown, words)
  const when = statusAndWhen(shown, site, words)
  const picture = mayShowPicture ? picturePathOf(facts) : undefined
  // WordPress shows a quotation until the card in its sandbox answers, and removes elements that it does not know.
  const quotation = html`<template><blockquote><a href="${site.origin}${pathOf(facts)}">${title}</a>, ${when}</blockquote></template>`
  const frame = html`<iframe src="${site.origin}${pathOf(facts)}/card" width="${room.width}" height="${room.height}" title="${title}, ${when}" frameborder="0"></iframe>`
  return {
    version: '1.0',
    type: 'rich',
    provider_name: site.name,
    provider_url: `${site.origin}${site.root}/`,
    title,
    cache_age: CACHE_AGE_SECONDS,
    html: `${quotation.markup}${frame.markup}`,
    ...room,
    ...(picture && {
      thumbnail_url: `${site.origin}${picture}`,
      thumbnail_width: PICTURE_WIDTH,
      thumbnail_height: PICTURE_HEIGHT,
    }),
  }
}

export const writeOEmbedXml = (answer: OEmbedAnswer): string =>
  stripXmlRefused(
    html`<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<oembed>
${Object.entries(answer).map(([name, value]) => elementOf(name, value))}</oembed>
`.markup,
  )

const elementOf = (name: string, value: string | number) => {
  const [open, close] = [`<${name}>`, `</${name}>`].map((markup) => ({ markup }))
  return html`${open!}${value}${close!}\n`
}
