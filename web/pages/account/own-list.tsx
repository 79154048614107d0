// List of a user’s own app passwords, feed links, tokens or sessions, with their buttons.
import type { ComponentChildren, JSX } from 'preact'
import * as words from '../../strings.ts'
import { LoadProblem } from '../../ui/load-problem.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useListFocus } from '../../ui/use-list-focus.ts'
import type { Loaded } from '../../ui/use-loaded.ts'

interface OwnListProps<Item> {
  title: string
  loaded: Loaded<readonly Item[]> & { again(): void }
  empty: string
  children(item: Item): JSX.Element
}

export function OwnList<Item>({ title, loaded, empty, children }: OwnListProps<Item>): JSX.Element {
  const { data } = loaded
  const heading = useListFocus<HTMLHeadingElement>(data?.length ?? 0)
  return (
    <section>
      <h2 ref={heading} id={HEADING} tabIndex={-1}>
        {title}
      </h2>
      {loaded.state === 'failed' && <LoadProblem error={loaded.error} onAgain={loaded.again} />}
      {loaded.state === 'loading' && !data && <Spinner />}
      {data?.length === 0 && <p class="quiet">{empty}</p>}
      {data && data.length > 0 && <ul class="own">{data.map(children)}</ul>}
    </section>
  )
}

const HEADING = 'own-list'

/** Called when a new secret is dismissed, because its focused button disappears. */
export const focusOwnList = (): void => document.getElementById(HEADING)?.focus()

interface OwnItemProps {
  name: ComponentChildren
  lines: readonly string[]
  /** Buttons. */
  children?: ComponentChildren
}

export const OwnItem = ({ name, lines, children }: OwnItemProps): JSX.Element => (
  <li>
    <div>
      <strong>{name}</strong>
      {lines.map((line) => (
        <p class="quiet" key={line}>
          {line}
        </p>
      ))}
    </div>
    <div class="own-actions">{children}</div>
  </li>
)

export const usedWords = (lastUsedAt: string | null, format: (moment: string) => string): string =>
  lastUsedAt ? words.account.lastUsed(format(lastUsedAt)) : words.account.neverUsed
