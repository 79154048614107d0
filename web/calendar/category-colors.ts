// Colours of managed categories: a style sheet with a rule for each, by a class that every event has.
import { categoryClass } from '../../src/domain/calendar/tones.ts'
import { PAGE_COLORS } from '../../src/domain/categories/category-colors.ts'
import type { Category } from '../api/contract.ts'

type ColoredCategory = Pick<Category, 'name' | 'color_light' | 'color_dark'>

const sheets = new WeakMap<Document | ShadowRoot, CSSStyleSheet>()

/** Events that are on the page already take the colours too. */
export function showCategoryColors(root: Document | ShadowRoot, categories: readonly ColoredCategory[]): void {
  let sheet = sheets.get(root)
  if (!sheet) {
    sheet = new CSSStyleSheet()
    sheets.set(root, sheet)
    root.adoptedStyleSheets.push(sheet)
  }
  sheet.replaceSync(categories.map(ruleOf).join('\n'))
}

/** The soft background is mixed as where the shades were chosen, so that text on it has contrast. */
function ruleOf({ name, color_light: light, color_dark: dark }: ColoredCategory): string {
  if (!light || !dark) return ''
  const { light: day, dark: night } = PAGE_COLORS
  const soft = (ink: string, share: number): string => `color-mix(in srgb, ${ink} ${share * 100}%, var(--card))`
  return `.${categoryClass(name)} {
    --ink-of-event: light-dark(${light}, ${dark});
    --soft-of-event: light-dark(${soft(light, day.inkInSoft)}, ${soft(dark, night.inkInSoft)});
  }`
}
