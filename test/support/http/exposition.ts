// Parses the Prometheus text format strictly: any line that a Prometheus server would refuse fails.
import assert from 'node:assert/strict'

export interface Scraped {
  /** Value by name and labels as written, such as `daybook_accounts{state="approved"}`. */
  samples: Map<string, number>
  /** Every value of each label. */
  labels: Map<string, Set<string>>
  types: Map<string, string>
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = '([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\[\\\\"n])*)"'
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (\\+Inf|-Inf|NaN|-?[0-9.]+(?:e[+-]?[0-9]+)?)$`)

export function parseExposition(text: string): Scraped {
  assert.ok(text.endsWith('\n') && !text.includes('\r'), 'lines end with a line feed')
  const scraped: Scraped = { samples: new Map(), labels: new Map(), types: new Map() }
  let family = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const help = /^# HELP (\S+) \S.*$/.exec(line)
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line)
    if (help) family = help[1]!
    else if (type) {
      assert.equal(type[1], family, 'the type follows the help of its family')
      assert.ok(!scraped.types.has(family), `${family} is in one piece`)
      scraped.types.set(family, type[2]!)
    } else addSample(scraped, family, line)
  }
  for (const [name, type] of scraped.types) if (type === 'histogram') checkHistogram(scraped, name)
  return scraped
}

function addSample({ samples, labels, types }: Scraped, family: string, line: string): void {
  const sample = SAMPLE.exec(line)
  assert.ok(sample, `not a sample: ${line}`)
  const suffixes = types.get(family) === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
  assert.ok(suffixes.map((suffix) => family + suffix).includes(sample[1]!), `${line} belongs to ${family}`)
  if (types.get(family) === 'counter') assert.match(family, /_total$/)
  const key = line.slice(0, line.lastIndexOf(' '))
  assert.ok(!samples.has(key), `${key} is there once`)
  samples.set(key, Number(sample.at(-1)!.replace('Inf', 'Infinity')))
  for (const [, label, value] of (sample[2] ?? '').matchAll(new RegExp(LABEL, 'g')))
    labels.set(label!, (labels.get(label!) ?? new Set()).add(value!))
}

/** Buckets never descend, and the last one is the count. */
function checkHistogram({ samples }: Scraped, name: string): void {
  const last = new Map<string, number>()
  for (const [key, value] of samples) {
    if (!key.startsWith(`${name}_bucket{`)) continue
    const series = key.replace(/,?le="[^"]*"/, '')
    assert.ok(value >= (last.get(series) ?? 0), `${key} is not less than the bucket before`)
    last.set(series, value)
  }
  for (const [series, value] of last)
    assert.equal(samples.get(series.replace('_bucket', '_count').replace('{}', '')), value, series)
}
