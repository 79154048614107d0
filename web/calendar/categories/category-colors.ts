// Colours of managed categories: a style sheet with a rule for each, beside those of the page.
import { writeColorRules } from '../../../src/domain/categories/color-rules.ts'
import type { Category } from '../../api/contract.ts'

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
  sheet.replaceSync(
    writeColorRules(categories.map(({ name, color_light: light, color_dark: dark }) => ({ name, light, dark }))),
  )
}
