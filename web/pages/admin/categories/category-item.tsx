// One managed category in the list: its colour by day and night, its place in the order, and what can be done.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CountedCategory } from '../../../api/contract.ts'
import { call } from '../../../app/session.ts'
import * as words from '../../../strings.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Form, useSubmission } from '../../../ui/form.tsx'
import { type CategoryDraft, draftOf } from './category-dialog.tsx'
import { ColorSample } from './color-sample.tsx'

const text = words.admin.categoriesPage

interface CategoryItemProps {
  category: CountedCategory
  isFirst: boolean
  isLast: boolean
  onMove(by: -1 | 1): void
  onEdit(draft: CategoryDraft): void
  onDeleted(): void
}

export function CategoryItem({ category, isFirst, isLast, onMove, onEdit, onDeleted }: CategoryItemProps): JSX.Element {
  const [isDeleting, setDeleting] = useState(false)
  const { name, color, count, description, visibility, renaming } = category
  return (
    <li>
      <ColorSample color={color} />
      <div class="category-words">
        <strong>{name}</strong> <span class="quiet">{words.calendar.events(count)}</span>
        {visibility === 'internal' && <span class="badge"> {text.internal}</span>}
        {description && <p class="hint">{description}</p>}
        {renaming && <p class="hint">{text.renaming}</p>}
      </div>
      <div class="category-actions">
        {/* Not disabled at an end of the list: a button that is pressed would lose the focus there. */}
        <button type="button" aria-label={text.up(name)} aria-disabled={isFirst} onClick={() => isFirst || onMove(-1)}>
          ↑
        </button>
        <button type="button" aria-label={text.down(name)} aria-disabled={isLast} onClick={() => isLast || onMove(1)}>
          ↓
        </button>
        <button type="button" aria-label={text.editNamed(name)} onClick={() => onEdit(draftOf(category))}>
          {text.edit}
        </button>
        <button type="button" class="danger" aria-label={text.deleteNamed(name)} onClick={() => setDeleting(true)}>
          {words.common.delete}
        </button>
      </div>
      {isDeleting && <DeleteDialog category={category} onClose={() => setDeleting(false)} onDeleted={onDeleted} />}
    </li>
  )
}

interface DeleteDialogProps {
  category: CountedCategory
  onClose(): void
  onDeleted(): void
}

function DeleteDialog({ category, onClose, onDeleted }: DeleteDialogProps): JSX.Element {
  const sending = useSubmission()
  const { id, name, etag } = category
  const remove = async (): Promise<void> => {
    await call('deleteCategory', { path: { category_id: id }, ifMatch: etag })
    onClose()
    onDeleted()
  }
  return (
    <Dialog title={text.deleteTitle(name)} onClose={onClose}>
      <p>{text.deleteWarning}</p>
      <Form
        sending={sending}
        onSend={remove}
        button={words.common.delete}
        isDanger
        actions={
          <button type="button" onClick={onClose}>
            {words.common.cancel}
          </button>
        }
      />
    </Dialog>
  )
}
