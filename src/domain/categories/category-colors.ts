// Derives the shades of a category for light and dark pages, so that text in them has contrast.
import { PAGE_COLORS, type PageTheme } from './page-colors.ts'

/** Red, green and blue, each from 0 to 255. */
type Rgb = readonly [number, number, number]

export interface ColorShade {
  /** For marks and text: at least 4.5:1 on each page background and on `soft` (WCAG 2.2, 1.4.3). */
  ink: string
  /** The background of an event. */
  soft: string
}

export const MIN_CONTRAST = 4.5

const HEX = /^#[0-9a-f]{6}$/

/** `#rrggbb` in small letters; undefined for anything else. */
export function parseColor(text: string): string | undefined {
  const color = text.trim().toLowerCase()
  return HEX.test(color) ? color : undefined
}

/** The nearest shade of the colour that can be read on the pages of a theme: hue and saturation stay. */
export function shadeOf(color: string, theme: PageTheme): ColorShade {
  const { backgrounds, inkInSoft } = PAGE_COLORS[theme]
  const [hue, saturation, lightness] = toHsl(rgbOf(color))
  const [step, end] = theme === 'light' ? [-0.01, 0] : [0.01, 1]
  for (let at = lightness; ; at += step) {
    const ink = at === lightness ? rgbOf(color) : toRgb(hue, saturation, Math.min(1, Math.max(0, at)))
    const soft = mix(ink, rgbOf(backgrounds[1]), inkInSoft)
    const isReadable = [...backgrounds.map(rgbOf), soft].every((behind) => contrastOf(ink, behind) >= MIN_CONTRAST)
    // Black on white and white on black can be read: the loop ends there at the latest.
    if (isReadable || (at - end) * step >= 0) return { ink: formatColor(ink), soft: formatColor(soft) }
  }
}

export const contrastBetween = (a: string, b: string): number => contrastOf(rgbOf(a), rgbOf(b))

/** WCAG 2.2, contrast ratio. */
function contrastOf(a: Rgb, b: Rgb): number {
  const [dark, light] = [luminanceOf(a), luminanceOf(b)].sort((one, other) => one - other) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** WCAG 2.2, relative luminance. */
function luminanceOf(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const rgbOf = (color: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as never as Rgb

const formatColor = (rgb: Rgb): string => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`

const mix = (a: Rgb, b: Rgb, share: number): Rgb =>
  a.map((part, i) => Math.round(part * share + b[i]! * (1 - share))) as never as Rgb

/** Hue in degrees, saturation and lightness from 0 to 1 (CSS Color 4, §7). */
function toHsl([red, green, blue]: Rgb): [number, number, number] {
  const [r, g, b] = [red / 255, green / 255, blue / 255]
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)]
  const lightness = (most + least) / 2
  const range = most - least
  if (range === 0) return [0, 0, lightness]
  const saturation = range / (1 - Math.abs(2 * lightness - 1))
  const sixth = most === r ? ((g - b) / range + 6) % 6 : most === g ? (b - r) / range + 2 : (r - g) / range + 4
  return [sixth * 60, saturation, lightness]
}

function toRgb(hue: number, saturation: number, lightness: number): Rgb {
  const part = (n: number): number => {
    const at = (n + hue / 30) % 12
    const reach = saturation * Math.min(lightness, 1 - lightness)
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))))
  }
  return [part(0), part(8), part(4)]
}

/** For categories that come without a colour: none is like that of events without a category, or of private ones. */
const SUGGESTED = ['#b5460f', '#2f7a3d', '#a3246a', '#1f5fa8', '#8a6a00', '#c0262d', '#7a5230', '#5a7d0c'] as const

/** The one that fewest categories have. */
export function suggestColor(categories: readonly { color: string }[]): string {
  const usesOf = (color: string): number => categories.filter((category) => category.color === color).length
  return SUGGESTED.toSorted((a, b) => usesOf(a) - usesOf(b))[0]!
}
