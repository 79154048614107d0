// The most occurrences on one side of a key that a request may turn into exceptions.
export const MAX_FOLLOWING = 1_000
