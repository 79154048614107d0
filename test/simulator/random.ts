// Seeded pseudo-random numbers (sfc32): the same seed makes the same choices.

export interface SeededRandom {
  /** An integer from 0 to below the limit. */
  below(limit: number): number
  isHit(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** A name, by weight. */
  choose<Name extends string>(weights: Readonly<Record<Name, number>>): Name
}

export function createRandom(seed: number): SeededRandom {
  let [a, b, c, d] = [0x9e3779b9, seed | 0, Math.floor(seed / 2 ** 32), 1]
  const next = (): number => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 2 ** 32
  }
  // The first numbers of neighbouring seeds are alike.
  for (let i = 0; i < 16; i++) next()
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    isHit: (probability) => next() < probability,
    pick: (list) => list[below(list.length)]!,
    choose<Name extends string>(weights: Readonly<Record<Name, number>>) {
      const entries = Object.entries(weights) as [Name, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return name
      }
      return entries.at(-1)![0]
    },
  }
}
