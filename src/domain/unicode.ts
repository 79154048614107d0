// Unicode normalisation in linear time for any text.

/** Combining marks, and the two characters that compatibility decomposition turns into some. */
const LONG_RUN = /[\p{M}\uff9e\uff9f]{31}/u
const PIECE = /[^\p{M}\uff9e\uff9f]*[\p{M}\uff9e\uff9f]{0,30}/gu

/**
 * The marks on one letter are sorted by insertion, so a run of 100,000 would take minutes: runs longer than the 30 of
 * the Stream-Safe Text Format (UAX #15), which no language has, are normalised in pieces.
 */
export const normalizeText = (text: string, form: 'NFC' | 'NFKD'): string =>
  LONG_RUN.test(text) ? text.replace(PIECE, (piece) => piece.normalize(form)) : text.normalize(form)
