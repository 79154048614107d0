// Pseudo-locales for tests: English in Arabic letters from right to left, or lengthened by 40%; nothing is shipped.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Page, Route } from 'playwright-core'

const DIST = join(import.meta.dirname, '..', '..', '..', 'web', 'dist')

export const PSEUDO_LOCALES = ['ar', 'qps'] as const
export type PseudoLocale = (typeof PSEUDO_LOCALES)[number]

/** Runs in the page, in the module that takes the place of a part of the words. */
function translateWith(locale: string, words: unknown): unknown {
  const letters = 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'
  const accents: Record<string, string> = { a: 'á', e: 'é', i: 'î', o: 'ö', u: 'ü', c: 'ç', n: 'ñ', s: 'š', y: 'ý' }
  const done = '\u2060'
  const inArabic = (text: string): string =>
    text.replace(/[a-z]/gi, (letter) => letters[letter.toLowerCase().charCodeAt(0) - 97]!)
  const lengthened = (text: string): string => {
    if (text.includes(done)) return text
    const accented = text.replace(/[a-z]/g, (letter) => accents[letter] ?? letter)
    let missing = Math.ceil(text.length * 0.4)
    // A long word stays one word; a sentence gets more words.
    if (!text.includes(' ')) return `${accented}${'é'.repeat(missing)}${done}`
    let longer = accented
    for (; missing > 0; missing -= 7) longer += ` ${'möré'.repeat(2).slice(0, Math.max(2, Math.min(missing, 6)))}`
    return `${longer}${done}`
  }
  const isCode = (text: string): boolean => text === '' || /^(?:--|https?:|light$|dark$)/.test(text)
  const translate = (value: unknown, key: string): unknown => {
    if (['clock', 'code'].includes(key)) return value
    if (key === 'locale') return locale === 'ar' ? 'ar-EG' : value
    if (typeof value === 'string') return isCode(value) ? value : locale === 'ar' ? inArabic(value) : lengthened(value)
    if (typeof value === 'function') return (...given: unknown[]) => translate(value(...given), '')
    if (Array.isArray(value)) return value.map((one) => translate(one, ''))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, translate(one, name)]))
    return value
  }
  return translate(words, '')
}

/** Names of the built files with the English words. */
function wordFiles(): string[] {
  const manifest = JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8')) as Record<string, { file: string }>
  return Object.entries(manifest)
    .filter(([name]) => name.startsWith('words/english/'))
    .map(([, { file }]) => basename(file))
}

/** Read, not imported: the file may import others that need a page. */
const exportsOf = (source: string): string[] =>
  [...source.matchAll(/\bexport\s*\{([^}]*)\}/g)].flatMap(([, list]) =>
    list!.split(',').map(
      (one) =>
        one
          .trim()
          .split(/\s+as\s+/)
          .at(-1)!,
    ),
  )

/** From now on the page is in that locale, as if it were one of the languages. */
export async function speak(page: Page, locale: PseudoLocale): Promise<void> {
  const files = wordFiles()
  await page.route('**/*', async (route: Route) => {
    const { pathname, search } = new URL(route.request().url())
    const file = basename(pathname)
    if (files.includes(file) && search === '') {
      const names = exportsOf(readFileSync(join(DIST, 'assets', file), 'utf8'))
      const body = `import * as original from './${file}?original'
const words = (${translateWith.toString()})('${locale}', { ...original })
${names.map((name, i) => `const w${i} = words['${name}']`).join('\n')}
export { ${names.map((name, i) => `w${i} as '${name}'`).join(', ')} }`
      return route.fulfill({ contentType: 'text/javascript', body })
    }
    if (route.request().resourceType() !== 'document') return route.continue()
    const answer = await route.fetch()
    const direction = locale === 'ar' ? ' dir="rtl"' : ''
    const body = (await answer.text()).replace(/<html lang="[^"]*">/, `<html lang="${locale}"${direction}>`)
    await route.fulfill({ response: answer, body })
  })
}

/** Texts of labels, buttons and headings that do not fit their boxes, and what is wider than the window. */
export const listMisfits = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const excess = document.documentElement.scrollWidth - innerWidth
    const found = excess > 0 ? [`the page is ${excess} px wider than the window`] : []
    for (const element of document.querySelectorAll<HTMLElement>(
      'button, a, label, legend, h1, h2, h3, th, dt, summary, p, li',
    )) {
      const { clientWidth, scrollWidth } = element
      if (clientWidth <= 1 || !element.checkVisibility({ visibilityProperty: true })) continue
      if (element.closest('.cal-event, .cal-unseen, .spoken, .table-scroll, pre, .skip')) continue
      if (element.querySelector(':scope > .cal-event')) continue
      const style = getComputedStyle(element)
      if (style.display === 'inline' || style.clipPath !== 'none') continue
      if (scrollWidth > clientWidth + 1)
        found.push(
          `${element.tagName} ${element.className}: ${element.textContent!.slice(0, 60)} (${scrollWidth} in ${clientWidth})`,
        )
    }
    return found
  })
