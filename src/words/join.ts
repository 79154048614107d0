// Joins phrases as a list in words: `a, b and c`, by the rules of the language.

/** The rules are made with the first list: each language that is loaded takes a megabyte of memory. */
export function createJoin(language: string): (phrases: readonly string[]) => string {
  let list: Intl.ListFormat | undefined
  return (phrases) => {
    list ??= new Intl.ListFormat(language)
    return list.format(phrases)
  }
}
