// Remembers what was computed of the last few header values: all browsers send the same ones.

const MAX_VALUES = 16
const MAX_LENGTH = 200

/** A list and not a map: V8 would keep every other key of that (see `connections/request-headers.ts`). */
export function rememberValues<T>(compute: (value: string) => T): (value: string) => T {
  const values: string[] = []
  const results: T[] = []
  let next = 0
  return (value) => {
    const at = values.indexOf(value)
    if (at !== -1) return results[at]!
    const result = compute(value)
    if (value.length > MAX_LENGTH) return result
    values[next] = value
    results[next] = result
    next = (next + 1) % MAX_VALUES
    return result
  }
}
