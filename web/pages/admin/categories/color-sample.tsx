// The shades of a colour as events have them on light and on dark pages, whatever the theme of this page.
import type { JSX } from 'preact'
import { shadeOf } from '../../../../src/domain/categories/category-colors.ts'
import { PAGE_COLORS, type PageTheme } from '../../../../src/domain/categories/page-colors.ts'

const THEMES: readonly PageTheme[] = ['light', 'dark']

export const ColorSample = ({ color }: { color: string }): JSX.Element => (
  <span class="color-sample" aria-hidden="true">
    {THEMES.map((theme) => {
      const { ink, soft } = shadeOf(color, theme)
      const border = PAGE_COLORS[theme].backgrounds[1]
      return (
        <span key={theme} style={{ color: ink, background: soft, borderColor: border, borderInlineStartColor: ink }}>
          Aa
        </span>
      )
    })}
  </span>
)
