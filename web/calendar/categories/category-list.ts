// Several categories in one attribute: separated by commas; a comma in a name is written with a backslash.

/** `Music, Art\, old` are two. */
export function parseCategoryList(text: string): string[] {
  const names = ['']
  for (let at = 0; at < text.length; at++) {
    if (text[at] === ',') names.push('')
    else {
      if (text[at] === '\\') at += 1
      names.push(names.pop()! + (text[at] ?? ''))
    }
  }
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))]
}

export const formatCategoryList = (names: readonly string[]): string =>
  names.map((name) => name.replace(/[\\,]/g, (sign) => `\\${sign}`)).join(', ')

/** Those of an element: `category` is one name as it is, `categories` a list. */
export const categoriesOf = (attribute: (name: string) => string | null | undefined): string[] =>
  [
    ...new Set(
      [attribute('category')?.trim(), ...parseCategoryList(attribute('categories') ?? '')].filter((one) => !!one),
    ),
  ] as string[]
