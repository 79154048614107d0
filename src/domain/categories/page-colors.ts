// Colours of the pages behind categories; apart from the shades, which the pages receive ready.

/** `--paper` and `--card` of `web/style/tokens.css`, and how much of the ink is in the soft background. */
export const PAGE_COLORS = {
  light: { backgrounds: ['#fbfaf7', '#ffffff'], inkInSoft: 0.1 },
  dark: { backgrounds: ['#12161c', '#181e26'], inkInSoft: 0.18 },
} as const

export type PageTheme = keyof typeof PAGE_COLORS
