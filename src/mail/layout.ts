// Renders a message as plain text and as HTML without external resources.

export interface Message {
  subject: string
  text: string
  html: string
}

/** A paragraph, or a link on a line of its own. */
export type Paragraph = string | { link: string }

export function renderMessage(subject: string, paragraphs: readonly Paragraph[], language: string): Message {
  return {
    subject,
    text: `${paragraphs.map((part) => (typeof part === 'string' ? part : part.link)).join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      `<html lang="${language}">`,
      `<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
      '<body>',
      ...paragraphs.map(htmlOf),
      '</body>',
      '</html>\n',
    ].join('\n'),
  }
}

function htmlOf(part: Paragraph): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`
  const link = escapeHtml(part.link)
  return `<p><a href="${link}">${link}</a></p>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!)
