// Statistics to compare two samples of measurements: the median, and the Mann-Whitney rank test.

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * How likely ranks at least as uneven as these are when both samples have one distribution: two-sided, by the normal
 * approximation with corrections for ties and continuity. For twenty values a sample or more.
 */
export function mannWhitney(one: readonly number[], other: readonly number[]): number {
  const [n, m] = [one.length, other.length]
  const { rankSum, ties } = rankSumOf(one, other)
  const u = rankSum - (n * (n + 1)) / 2
  const total = n + m
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)))
  if (variance <= 0) return 1
  const z = Math.max(0, Math.abs(u - (n * m) / 2) - 0.5) / Math.sqrt(variance)
  return Math.min(1, complementaryError(z / Math.SQRT2))
}

/** Equal values share the mean of their ranks. */
function rankSumOf(one: readonly number[], other: readonly number[]): { rankSum: number; ties: number } {
  const values = [
    ...one.map((value) => ({ value, isOne: true })),
    ...other.map((value) => ({ value, isOne: false })),
  ].sort((a, b) => a.value - b.value)
  let rankSum = 0
  let ties = 0
  for (let start = 0; start < values.length; ) {
    let end = start
    while (end < values.length && values[end]!.value === values[start]!.value) end += 1
    const rank = (start + 1 + end) / 2
    rankSum += rank * values.slice(start, end).filter(({ isOne }) => isOne).length
    ties += (end - start) ** 3 - (end - start)
    start = end
  }
  return { rankSum, ties }
}

/** erfc for x ≥ 0 to seven digits: Abramowitz and Stegun 7.1.26. */
function complementaryError(x: number): number {
  const t = 1 / (1 + 0.3275911 * x)
  const series = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429]
  return series.reduceRight((sum, factor) => (sum + factor) * t, 0) * Math.exp(-x * x)
}
