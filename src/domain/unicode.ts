// Unicode normalisation in time proportional to the length of the text, whatever the text.

/** As many marks as one letter has in the Stream-Safe Text Format (UAX #15), and more than any language has. */
const MAX_MARKS = 30

/** Combining marks, and the two signs that compatibility decomposition turns into some. */
const MARK = '[\\p{M}\\uff9e\\uff9f]'
const LONG_RUN = new RegExp(`${MARK}{${MAX_MARKS + 1}}`, 'u')
const PIECE = new RegExp(`[^\\p{M}\\uff9e\\uff9f]*${MARK}{0,${MAX_MARKS}}`, 'gu')

/** Marks on one letter are sorted by insertion, so a run of 100,000 would take minutes: longer runs go in pieces. */
export const normalizeText = (text: string, form: 'NFC' | 'NFKD'): string =>
  LONG_RUN.test(text) ? text.replace(PIECE, (piece) => piece.normalize(form)) : text.normalize(form)
