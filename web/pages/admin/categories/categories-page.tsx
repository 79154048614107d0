// Categories page: administrators add, adopt, colour, order, rename and delete categories.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { suggestColor } from '../../../../src/domain/categories/category-colors.ts'
import { ApiError } from '../../../api/client.ts'
import type { CategoryOverview, CountedCategory } from '../../../api/contract.ts'
import { call } from '../../../app/session.ts'
import * as words from '../../../strings.ts'
import { explain } from '../../../ui/explain.ts'
import { useSubmission } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { useLoaded } from '../../../ui/use-loaded.ts'
import { AdminPage } from '../admin-page.tsx'
import { LoadedSection } from '../parts.tsx'
import './categories.css'
import { CategoryDialog, type CategoryDraft } from './category-dialog.tsx'
import { CategoryItem } from './category-item.tsx'

const text = words.admin.categoriesPage

export default function CategoriesPage(): JSX.Element {
  return <AdminPage title={words.admin.categories} content={Categories} />
}

const newDraft = (name: string, others: readonly CountedCategory[]): CategoryDraft => ({
  name,
  color: suggestColor(others),
  description: '',
  isInternal: false,
})

function Categories(): JSX.Element {
  const loaded = useLoaded(async (signal) => (await call('listCategoryUses', { signal })).data, [])
  const [draft, setDraft] = useState<CategoryDraft>()
  const close = (): void => setDraft(undefined)
  const done = (said: string): void => {
    toast(said)
    loaded.again()
  }
  return (
    <>
      <p>{text.lead}</p>
      <p>
        <button type="button" class="main" onClick={() => setDraft(newDraft('', loaded.data?.managed ?? []))}>
          {text.add}
        </button>
      </p>
      <LoadedSection loaded={loaded}>
        {(data) => (
          <>
            <Managed categories={data.managed} onDone={done} onEdit={setDraft} />
            <Free {...data} onDone={done} onStopped={loaded.again} onEdit={setDraft} />
          </>
        )}
      </LoadedSection>
      {draft && (
        <CategoryDialog
          key={draft.category?.id ?? draft.name}
          draft={draft}
          onClose={close}
          onSaved={(name) => {
            close()
            done(text.saved(name))
          }}
          onStale={loaded.again}
        />
      )}
    </>
  )
}

interface ListProps {
  onDone(said: string): void
  onEdit(draft: CategoryDraft): void
}

function Managed({ categories, onDone, onEdit }: ListProps & { categories: readonly CountedCategory[] }): JSX.Element {
  const sending = useSubmission()
  const move = (category: CountedCategory, position: number) =>
    sending.run(async () => {
      const { id, version, name } = category
      await call('changeCategory', { path: { category_id: id }, body: { position, version } })
      onDone(text.moved(name, position + 1))
    })
  return (
    <section class="card">
      <h2>{text.managed}</h2>
      {!!sending.error && <Notice kind="bad">{explain(sending.error, text.refusals)}</Notice>}
      {categories.length === 0 && <p>{text.noneYet}</p>}
      <ol class="categories">
        {categories.map((category, i) => (
          <CategoryItem
            key={category.id}
            category={category}
            isFirst={i === 0}
            isLast={i === categories.length - 1}
            onMove={(by) => move(category, i + by)}
            onEdit={onEdit}
            onDeleted={() => onDone(text.deleted(category.name))}
          />
        ))}
      </ol>
    </section>
  )
}

/** Of two spellings of one name the first is enough. */
async function adoptOnce(name: string): Promise<void> {
  try {
    await call('createCategory', { body: { name } })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'category_exists')) throw error
  }
}

type FreeProps = ListProps & CategoryOverview & { onStopped(): void }

function Free({ free, managed, truncated, onDone, onStopped, onEdit }: FreeProps): JSX.Element | null {
  const sending = useSubmission()
  if (free.length === 0) return null
  const adopt = (name: string) =>
    sending.run(async () => {
      await call('createCategory', { body: { name } })
      onDone(text.adopted(name))
    })
  // One after the other, those with most events first: the next colour depends on those before.
  const adoptAll = () =>
    sending.run(async () => {
      try {
        for (const { name } of free) await adoptOnce(name)
        onDone(text.adoptedAll)
      } catch (error) {
        onStopped()
        throw error
      }
    })
  return (
    <section class="card">
      <h2>{text.free}</h2>
      <p>{text.freeLead}</p>
      {free.length > 1 && (
        <p>
          <button type="button" aria-disabled={sending.isBusy} onClick={adoptAll}>
            {text.adoptAll}
          </button>
        </p>
      )}
      {!!sending.error && <Notice kind="bad">{explain(sending.error, text.refusals)}</Notice>}
      <ul class="categories">
        {free.map(({ name, count }) => (
          <li key={name}>
            <span class="category-mark" aria-hidden="true" />
            <div class="category-words">
              <strong>{name}</strong> <span class="quiet">{words.calendar.events(count)}</span>
            </div>
            <div class="category-actions">
              <button type="button" aria-label={text.adoptNamed(name)} onClick={() => adopt(name)}>
                {text.adopt}
              </button>
              <button
                type="button"
                aria-label={`${text.choose} (${name})`}
                onClick={() => onEdit(newDraft(name, managed))}
              >
                {text.choose}
              </button>
            </div>
          </li>
        ))}
      </ul>
      {truncated && <p class="hint">{text.truncated}</p>}
    </section>
  )
}
