// The fields people send, as far as their shape is checked: what `contract/` lets in, before it is given a meaning.
import { type FieldCode, type FieldProblem, failFields, fieldProblem } from '../../errors.ts'
import type { Status, Transparency, Visibility } from './event.ts'

/** Characters each text may have, by whatever way an event comes in. */
export const LONGEST = { title: 255, description: 10_000, location: 500, category: 64, url: 2_048 } as const

/** Extra or excluded dates in one request, as far as they are new. */
export const MAX_SENT_DATES = 500

/** A whole event as sent. Absent and null both mean "the default". */
export interface EventFields {
  title: string
  description?: string | null
  location?: string | null
  category?: string | null
  url?: string | null
  visibility?: Visibility | null
  status?: Status | null
  transparency?: Transparency | null
  start: string
  end: string
  all_day?: boolean | null
  timezone?: string | null
  rrule?: string | null
  rdates?: string[] | null
  exdates?: string[] | null
}

/** A merge patch: absent keeps, null clears. */
export type FieldsPatch = { [Field in keyof EventFields]?: EventFields[Field] | null }

/** What one occurrence may have of its own. */
export type OccurrenceFieldsPatch = Pick<
  FieldsPatch,
  'title' | 'description' | 'location' | 'category' | 'url' | 'status' | 'start' | 'end'
>

export interface Defaults {
  zone: string
  visibility: Visibility
}

/** Collects what is wrong, so that a form learns everything at once. */
export class Problems {
  readonly #found: FieldProblem[] = []

  add(field: string, code: FieldCode): undefined {
    this.#found.push(fieldProblem(field, code))
  }

  /** What is wrong with the first field that was looked at. */
  get first(): FieldCode | undefined {
    return this.#found[0]?.code
  }

  get isEmpty(): boolean {
    return this.#found.length === 0
  }

  throwIfAny(): void {
    if (!this.isEmpty) failFields(this.#found)
  }
}
