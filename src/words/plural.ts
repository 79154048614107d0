// Chooses the form of a word by the number before it, by the plural rules of the language.

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** `plural(3, { one: 'plik', few: 'pliki', other: 'plików' })`; the number is not part of the result. */
export type Plural = (count: number, forms: Forms) => string

export function createPlural(language: string): Plural {
  const rules = new Intl.PluralRules(language)
  return (count, forms) => forms[rules.select(count)] ?? forms.other
}
