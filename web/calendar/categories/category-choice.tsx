// Choice of any number of categories; none of them means all.
import type { JSX } from 'preact'
import { MAX_SOUGHT_CATEGORIES } from '../../../src/domain/categories/category.ts'
import * as words from '../../strings.ts'
import { Checkbox } from '../../ui/field.tsx'

interface CategoryChoiceProps {
  names: readonly string[]
  chosen: readonly string[]
  onChoose(names: string[]): void
}

export function CategoryChoice({ names, chosen, onChoose }: CategoryChoiceProps): JSX.Element | null {
  if (names.length === 0) return null
  const turn = (name: string, isOn: boolean): void => {
    const others = chosen.filter((one) => one !== name)
    onChoose(isOn ? [...others, name].slice(0, MAX_SOUGHT_CATEGORIES) : others)
  }
  return (
    <fieldset class="category-choice">
      <legend>{words.calendar.category}</legend>
      <Checkbox label={words.calendar.allCategories} isOn={chosen.length === 0} onChange={() => onChoose([])} />
      {names.map((name) => (
        <Checkbox key={name} label={name} isOn={chosen.includes(name)} onChange={(isOn) => turn(name, isOn)} />
      ))}
    </fieldset>
  )
}
