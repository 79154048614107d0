// The legend of a calendar page: which categories it names, and what pressing one of them chooses.

interface NamedCategory {
  name: string
}

/** Others can be chosen above the calendar. */
const MAX_SHOWN = 24

/** The first of them, and each that is chosen, also where no event has it. */
export function listLegend<Known extends NamedCategory>(
  categories: readonly Known[],
  chosen: readonly string[],
): (Known | NamedCategory)[] {
  const others = chosen.filter((name) => !categories.some((one) => one.name === name)).map((name) => ({ name }))
  return [...categories, ...others].filter(({ name }, i) => i < MAX_SHOWN || chosen.includes(name))
}

/** The choice with this category turned on or off. */
export const turnCategory = (name: string, chosen: readonly string[]): string[] =>
  chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]
