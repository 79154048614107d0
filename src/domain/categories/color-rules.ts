// Style rules of category colours: one for each, by the class that every event of the category has.
import { categoryClass } from '../calendar/tones.ts'
import { PAGE_COLORS } from './page-colors.ts'

export interface CategoryShades {
  name: string
  /** The ink on light pages and on dark ones; undefined for a category that is not managed. */
  light: string | undefined
  dark: string | undefined
}

export const writeColorRules = (categories: readonly CategoryShades[]): string =>
  categories.flatMap((category) => ruleOf(category) ?? []).join('\n')

/** The soft background is mixed as where the shades were chosen, so that text on it has contrast. */
function ruleOf({ name, light, dark }: CategoryShades): string | undefined {
  if (!light || !dark) return undefined
  const { light: day, dark: night } = PAGE_COLORS
  const soft = (ink: string, share: number): string => `color-mix(in srgb,${ink} ${share * 100}%,var(--card))`
  return `.${categoryClass(name)}{--ink-of-event:light-dark(${light},${dark});--soft-of-event:light-dark(${soft(light, day.inkInSoft)},${soft(dark, night.inkInSoft)})}`
}
