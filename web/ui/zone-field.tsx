// Field for a time zone, which suggests the names that the browser knows.
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { TextField } from './field.tsx'

interface ZoneFieldProps {
  label: string
  hint?: string
  problem?: string | undefined
  value: string
  onValue(value: string): void
}

export function ZoneField(field: ZoneFieldProps): JSX.Element {
  const list = useId()
  return (
    <>
      <TextField {...field} input={{ list, autoComplete: 'off', spellcheck: false }} />
      <datalist id={list}>
        {Intl.supportedValuesOf('timeZone').map((name) => (
          <option key={name} value={name}>
            {name.replaceAll('_', ' ')}
          </option>
        ))}
      </datalist>
    </>
  )
}
