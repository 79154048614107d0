// Form fields: a label, a control, a hint and an error, linked for screen readers.
import type { ComponentChildren, JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import * as words from '../strings.ts'

interface FieldProps {
  label: string
  hint?: ComponentChildren
  problem?: string | undefined
  isOptional?: boolean
  /** What the problem is about: the problem is shown for as long as this stays as it was. */
  judged?: string
  /** Receives the id and ARIA attributes that link the control to its label, hint and error. */
  children(control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }): JSX.Element
}

export function Field({ label, hint, problem: found, isOptional, judged, children }: FieldProps): JSX.Element {
  const id = useId()
  const { problem, isSettled } = useOpenProblem(found, judged)
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ') || undefined
  return (
    <div class={isSettled ? 'field settled' : 'field'}>
      <label for={id}>
        {label}
        {isOptional && <span class="quiet"> ({words.common.optional})</span>}
      </label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': !!problem })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}

/** Hides a problem once the value that was refused has been changed, until it is refused again. */
function useOpenProblem(found: string | undefined, judged: string | undefined) {
  const refused = useRef<{ value: string | undefined }>()
  if (found === undefined) refused.current = undefined
  else refused.current ??= { value: judged }
  const isSettled = found !== undefined && refused.current!.value !== judged
  return { problem: isSettled ? undefined : found, isSettled }
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  value: string
  onValue(value: string): void
  input?: JSX.InputHTMLAttributes
}

export const TextField = ({ value, onValue, input, ...field }: TextFieldProps): JSX.Element => (
  <Field judged={value} {...field}>
    {(control) => (
      <input type="text" value={value} onInput={(e) => onValue(e.currentTarget.value)} {...input} {...control} />
    )}
  </Field>
)

interface SelectFieldProps<Value extends string> extends Omit<FieldProps, 'children'> {
  value: Value
  onValue(value: NoInfer<Value>): void
  options: readonly (readonly [value: NoInfer<Value>, text: string])[]
}

export const SelectField = <Value extends string>({ value, onValue, options, ...field }: SelectFieldProps<Value>) => (
  <Field judged={value} {...field}>
    {(control) => (
      <select value={value} onChange={(e) => onValue(e.currentTarget.value as Value)} {...control}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)

interface TickProps {
  label: ComponentChildren
  isOn: boolean
  onChange(isOn: boolean): void
}

export const Checkbox = ({ label, isOn, onChange }: TickProps): JSX.Element => (
  <label class="tick">
    <input type="checkbox" checked={isOn} onChange={(e) => onChange(e.currentTarget.checked)} />
    <span>{label}</span>
  </label>
)
