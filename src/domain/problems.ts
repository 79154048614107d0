// Collects the validation problems of all fields of a request, to report them in one response.
import { type FieldCode, type FieldProblem, failFields, fieldProblem } from '../errors.ts'

/** Collects all problems, so that a form gets them at once. */
export class Problems {
  readonly #found: FieldProblem[] = []

  add(field: string, code: FieldCode): undefined {
    this.#found.push(fieldProblem(field, code))
  }

  /** The problem of the first field that was checked. */
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
