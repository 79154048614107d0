// HTML template tag: escapes every interpolated value that is not markup already.

export interface Html {
  readonly markup: string
}

type Piece = string | number | Html | readonly Piece[] | undefined

export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Html {
  return { markup: parts.reduce((text, part, i) => text + (i > 0 ? render(pieces[i - 1]) : '') + part, '') }
}

/** Text in which `backticks` mark code, as the document's descriptions use them. */
export const prose = (text: string): Html[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))

export const joined = (pieces: readonly Html[], between: string): Html => ({
  markup: pieces.map(({ markup }) => markup).join(escapeText(between)),
})

/** For the service's own style sheet, whose hash the browser checks, so it must not be escaped. */
export const verbatim = (markup: string): Html => ({ markup })

function render(piece: Piece): string {
  if (piece === undefined) return ''
  if (Array.isArray(piece)) return piece.map(render).join('')
  return typeof piece === 'object' ? (piece as Html).markup : escapeText(String(piece))
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!)
