// The fields of the event form; the parent component holds their values.
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { STATUSES, TRANSPARENCIES, VISIBILITIES } from '../../../../src/domain/calendar/event.ts'
import { MAX_TEXT_CHARS } from '../../../../src/domain/calendar/fields.ts'
import * as words from '../../../strings.ts'
import { Field, SelectField, TextField } from '../../../ui/field.tsx'
import type { SaveTarget } from '../event-store.ts'
import type { Before } from './next-dates.ts'
import { RepeatFields } from './repeat-fields.tsx'
import { type FieldsProps, WhenFields } from './when-fields.tsx'

const strings = words.editor

interface EventFormProps extends FieldsProps {
  scope: SaveTarget['scope']
  categories: readonly string[]
  before: Before
}

export function EventForm(props: EventFormProps): JSX.Element {
  const { values, onChange, problem, scope, categories, before } = props
  const isOneDate = scope === 'date'
  const isFollowing = scope === 'following'
  const set = (some: Partial<typeof values>) => onChange({ ...values, ...some })
  return (
    <>
      <TextField
        label={strings.title}
        value={values.title}
        onValue={(title) => set({ title })}
        problem={problem('title')}
        input={{ maxLength: MAX_TEXT_CHARS.title, required: true, autocomplete: 'off' }}
      />
      <WhenFields
        values={values}
        onChange={onChange}
        problem={problem}
        isOneDate={isOneDate}
        isKindFixed={isOneDate || isFollowing}
      />
      {!isOneDate && (
        <RepeatFields values={values} onChange={onChange} problem={problem} before={before} isFollowing={isFollowing} />
      )}
      {!isOneDate && !isFollowing && <Visibility values={values} onChange={onChange} problem={problem} />}
      <TextField
        label={strings.location}
        isOptional
        value={values.location}
        onValue={(location) => set({ location })}
        problem={problem('location')}
        input={{ maxLength: MAX_TEXT_CHARS.location }}
      />
      <CategoryField values={values} onChange={onChange} problem={problem} categories={categories} />
      <Field label={strings.description} isOptional problem={problem('description')} judged={values.description}>
        {(control) => (
          <textarea
            {...control}
            rows={5}
            maxLength={MAX_TEXT_CHARS.description}
            value={values.description}
            onInput={(e) => set({ description: e.currentTarget.value })}
          />
        )}
      </Field>
      <TextField
        label={strings.url}
        isOptional
        hint={strings.urlHint}
        value={values.url}
        onValue={(url) => set({ url })}
        problem={problem('url')}
        input={{ type: 'url', maxLength: MAX_TEXT_CHARS.url, autocomplete: 'off' }}
      />
      <SelectField
        label={strings.status}
        value={values.status}
        options={STATUSES.map((status) => [status, strings.statuses[status]] as const)}
        onValue={(status) => set({ status })}
        problem={problem('status')}
      />
      {!isOneDate && (
        <SelectField
          label={strings.transparency}
          value={values.transparency}
          options={TRANSPARENCIES.map((one) => [one, strings.transparencies[one]] as const)}
          onValue={(transparency) => set({ transparency })}
          problem={problem('transparency')}
        />
      )}
    </>
  )
}

function Visibility({ values, onChange }: FieldsProps): JSX.Element {
  const name = useId()
  const means = { public: strings.publicMeans, private: strings.privateMeans }
  return (
    <fieldset class="visibility">
      <legend>{strings.visibility}</legend>
      <div class="cards">
        {VISIBILITIES.map((visibility) => (
          <label key={visibility} class={`choice ${visibility}`}>
            <input
              type="radio"
              name={name}
              checked={values.visibility === visibility}
              onChange={() => onChange({ ...values, visibility })}
            />
            <span>
              <strong>{strings[visibility]}</strong>
              <span class="means">{means[visibility]}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function CategoryField({ values, onChange, problem, categories }: FieldsProps & Pick<EventFormProps, 'categories'>) {
  const list = useId()
  return (
    <Field label={strings.category} isOptional problem={problem('category')} judged={values.category}>
      {(control) => (
        <>
          <input
            {...control}
            list={list}
            maxLength={MAX_TEXT_CHARS.category}
            autocomplete="off"
            value={values.category}
            onInput={(e) => onChange({ ...values, category: e.currentTarget.value })}
          />
          <datalist id={list}>
            {categories.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
