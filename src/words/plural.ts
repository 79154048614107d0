// Chooses the form of a word by the number before it, by the plural rules of the language.

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** `plural(3, { one: 'plik', few: 'pliki', other: 'plików' })`; the number is not part of the result. */
export type Plural = (count: number, forms: Forms) => string

/** The rules are made with the first number: each language that is loaded takes a megabyte of memory. */
export function createPlural(language: string): Plural {
  let rules: Intl.PluralRules | undefined
  return (count, forms) => {
    rules ??= new Intl.PluralRules(language)
    return forms[rules.select(count)] ?? forms.other
  }
}
