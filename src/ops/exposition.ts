// Prometheus text format (version 0.0.4): families of samples with help, type and labels.
import type { Histogram } from './histogram.ts'

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export type Labels = Record<string, string>
export type Sample = [labels: Labels, value: number]

export interface Exposition {
  gauge(name: string, help: string, samples: Iterable<Sample> | number | undefined): void
  counter(name: string, help: string, samples: Iterable<Sample> | number | undefined): void
  histogram(name: string, help: string, samples: Iterable<[Labels, Histogram]>): void
  text(): string
}

export function createExposition(): Exposition {
  const lines: string[] = []
  const begin = (name: string, type: string, help: string): void => {
    lines.push(`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${type}`)
  }
  const add =
    (type: string): Exposition['gauge'] =>
    (name, help, given) => {
      const samples = typeof given === 'number' ? [[{}, given] as Sample] : [...(given ?? [])]
      // A value that is not known now is left out: zero would be a statement.
      if (samples.length === 0) return
      begin(name, type, help)
      for (const [labels, value] of samples) lines.push(`${name}${formatLabels(labels)} ${formatValue(value)}`)
    }
  return {
    gauge: add('gauge'),
    counter: add('counter'),
    histogram(name, help, given) {
      const samples = [...given]
      if (samples.length === 0) return
      begin(name, 'histogram', help)
      for (const [labels, histogram] of samples) lines.push(...histogramLines(name, labels, histogram))
    },
    text: () => `${lines.join('\n')}\n`,
  }
}

function histogramLines(name: string, labels: Labels, { bounds, counts, sum }: Histogram): string[] {
  let total = 0
  const buckets = [...counts].map((count, i) => {
    total += count
    return `${name}_bucket${formatLabels({ ...labels, le: formatValue(bounds[i] ?? Number.POSITIVE_INFINITY) })} ${total}`
  })
  return [
    ...buckets,
    `${name}_sum${formatLabels(labels)} ${formatValue(sum)}`,
    `${name}_count${formatLabels(labels)} ${total}`,
  ]
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escapeValue = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const formatValue = (value: number): string => {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}
