// Dialog to add, adopt or change a category.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { MAX_TEXT_CHARS } from '../../../../src/domain/calendar/fields.ts'
import { MAX_CATEGORY_DESCRIPTION } from '../../../../src/domain/categories/category.ts'
import { parseColor } from '../../../../src/domain/categories/category-colors.ts'
import { ApiError } from '../../../api/client.ts'
import type { CountedCategory } from '../../../api/contract.ts'
import { call } from '../../../app/session.ts'
import * as words from '../../../strings.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { problemOf, requireFilled } from '../../../ui/explain.ts'
import { Checkbox, Field, TextField } from '../../../ui/field.tsx'
import { Form, useSubmission } from '../../../ui/form.tsx'
import { ColorSample } from './color-sample.tsx'

const text = words.admin.categoriesPage

export interface CategoryDraft {
  name: string
  color: string
  description: string
  isInternal: boolean
  /** The category that is changed; undefined for a new one. */
  category?: CountedCategory
}

export const draftOf = (category: CountedCategory): CategoryDraft => ({
  name: category.name,
  color: category.color,
  description: category.description ?? '',
  isInternal: category.visibility === 'internal',
  category,
})

interface CategoryDialogProps {
  draft: CategoryDraft
  onClose(): void
  onSaved(name: string): void
  /** Another administrator has changed it. */
  onStale(): void
}

export function CategoryDialog({ draft, onClose, onSaved, onStale }: CategoryDialogProps): JSX.Element {
  const [values, setValues] = useState(draft)
  const sending = useSubmission()
  const { category } = draft
  const set = (changed: Partial<CategoryDraft>): void => setValues({ ...values, ...changed })
  const send = async (): Promise<void> => {
    const { name, color, description, isInternal } = values
    requireFilled({ name })
    const body = { name, color, description, visibility: isInternal ? 'internal' : 'public' } as const
    try {
      const { data } = category
        ? await call('changeCategory', {
            path: { category_id: category.id },
            body: { ...body, version: category.version },
          })
        : await call('createCategory', { body })
      onSaved(data.name)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'version_mismatch') onStale()
      throw error
    }
  }
  const isRenamed = category !== undefined && values.name.trim() !== category.name
  return (
    <Dialog title={category ? text.editTitle(category.name) : text.addTitle} onClose={onClose}>
      <Form
        sending={sending}
        onSend={send}
        button={words.common.save}
        refusals={text.refusals}
        working={isRenamed ? text.renamingNow : undefined}
        actions={
          <button type="button" onClick={onClose}>
            {words.common.cancel}
          </button>
        }
      >
        <TextField
          label={text.name}
          value={values.name}
          onValue={(name) => set({ name })}
          hint={isRenamed ? text.renameHint(category.count) : undefined}
          problem={problemOf(sending.error, 'name')}
          input={{ maxLength: MAX_TEXT_CHARS.category, autoComplete: 'off' }}
        />
        <Field label={text.color} hint={text.colorHint} problem={problemOf(sending.error, 'color')}>
          {(control) => (
            <span class="color-choice">
              <input
                type="color"
                value={values.color}
                onInput={(event) => set({ color: parseColor(event.currentTarget.value) ?? values.color })}
                {...control}
              />
              <ColorSample color={values.color} />
            </span>
          )}
        </Field>
        <TextField
          label={text.description}
          isOptional
          value={values.description}
          onValue={(description) => set({ description })}
          problem={problemOf(sending.error, 'description')}
          input={{ maxLength: MAX_CATEGORY_DESCRIPTION, autoComplete: 'off' }}
        />
        <Checkbox label={text.internalLabel} isOn={values.isInternal} onChange={(isInternal) => set({ isInternal })} />
        <p class="hint">{text.internalHint}</p>
      </Form>
    </Dialog>
  )
}
