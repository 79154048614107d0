// Search results: a list of dates with their number, from today on, and past ones on request.

import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { toneOf } from '../../../src/domain/calendar/tones.ts'
import { excerptOf, markParts, searchedWords } from '../../../src/words/search-marks.ts'
import { Link } from '../../app/router.tsx'
import { Lock } from '../../calendar/chip.tsx'
import { type CalendarItem, isCancelled, isMasked } from '../../calendar/item.ts'
import { titleOf } from '../../calendar/item-words.ts'
import type { AskPage } from '../../calendar/load.ts'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { LoadProblem } from '../../ui/load-problem.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { formatTimes } from '../../words/formats.ts'
import { type DateSearch, type SearchDirection, type SearchOptions, startSearch } from './search-dates.ts'

export interface SearchResultsProps extends SearchOptions {
  /** The searched text, whose words are marked. */
  q: string
  /** Passing a different function searches again. */
  ask: AskPage
  addressOf(item: CalendarItem): string
  onTurn(direction: SearchDirection): void
}

export function SearchResults({ q, direction, today, zone, ask, addressOf, onTurn }: SearchResultsProps): JSX.Element {
  const loaded = useLoaded(
    async (signal) => {
      const search = await startSearch({ direction, today, zone }, ask, signal)
      searches += 1
      return { search, first: await search.next(), id: searches }
    },
    [direction, today, zone, ask],
  )
  const other = direction === 'ahead' ? 'past' : 'ahead'
  if (loaded.state === 'failed') return <LoadProblem error={loaded.error} onAgain={loaded.again} />
  if (loaded.state === 'loading') return <Spinner />
  const { search, first, id } = loaded.data
  return (
    <div class="found">
      <div class="found-head">
        <p role="status">{words.calendar.found[direction](search.total)}</p>
        <button type="button" class="plain" onClick={() => onTurn(other)}>
          {words.calendar.searchIn[other]}
        </button>
      </div>
      <FoundDates key={id} {...{ q, search, first, zone, addressOf }} />
    </div>
  )
}

/** Results of another search are another list. */
let searches = 0

interface FoundDatesProps extends Pick<SearchResultsProps, 'q' | 'zone' | 'addressOf'> {
  search: DateSearch
  first: readonly CalendarItem[]
}

function FoundDates({ q, search, first, zone, addressOf }: FoundDatesProps): JSX.Element {
  const [items, setItems] = useState(first)
  const [more, setMore] = useState<{ isLoading: boolean; error?: unknown }>({ isLoading: false })
  const list = useRef<HTMLUListElement>(null)
  const seen = useRef(0)
  const searched = useMemo(() => searchedWords(q), [q])
  // The keyboard goes on at the first new result, since the button moves away from it.
  useEffect(() => {
    if (seen.current > 0) list.current!.querySelectorAll('a')[seen.current]?.focus()
  }, [items])
  const showMore = (): void => {
    setMore({ isLoading: true })
    search.next().then(
      (next) => {
        seen.current = items.length
        setItems([...items, ...next])
        setMore({ isLoading: false })
      },
      (error) => setMore({ isLoading: false, error }),
    )
  }
  return (
    <>
      <ul ref={list}>
        {items.map((item) => (
          <FoundDate key={`${item.id} ${item.start}`} {...{ item, searched, zone }} address={addressOf(item)} />
        ))}
      </ul>
      {more.error !== undefined && <Notice kind="bad">{explain(more.error)}</Notice>}
      {items.length < search.total && (
        <p>
          <button type="button" disabled={more.isLoading} onClick={showMore}>
            {words.calendar.moreFound(items.length, search.total)}
          </button>
        </p>
      )}
    </>
  )
}

interface FoundDateProps {
  item: CalendarItem
  searched: readonly string[]
  zone: string
  address: string
}

/** Of the description only what was found is shown, and only if no other text shows why it is a result. */
function FoundDate({ item, searched, zone, address }: FoundDateProps): JSX.Element {
  const { location, category, description } = isMasked(item) ? NO_WORDS : item
  const isFoundIn = (text: string | null): boolean => markParts(text ?? '', searched).some(({ isFound }) => isFound)
  const excerpt = [titleOf(item), location, category].some(isFoundIn)
    ? undefined
    : excerptOf(description ?? '', searched)
  return (
    <li class={toneOf(item)}>
      <Link to={address} class={isCancelled(item) ? 'cancelled' : undefined}>
        {item.visibility === 'private' && <Lock />}
        <Marked text={titleOf(item)} searched={searched} />
        {isCancelled(item) && <span class="cal-unseen"> ({words.calendar.cancelled})</span>}
      </Link>
      <span>{formatTimes(item, zone)}</span>
      {location && (
        <span class="quiet">
          <Marked text={location} searched={searched} />
        </span>
      )}
      {category && isFoundIn(category) && (
        <span class="quiet">
          <Marked text={category} searched={searched} />
        </span>
      )}
      {excerpt && (
        <span class="quiet">
          <Marked text={excerpt} searched={searched} />
        </span>
      )}
    </li>
  )
}

const NO_WORDS = { location: null, category: null, description: null }

const Marked = ({ text, searched }: { text: string; searched: readonly string[] }): JSX.Element => (
  <>{markParts(text, searched).map((part) => (part.isFound ? <mark>{part.text}</mark> : part.text))}</>
)
