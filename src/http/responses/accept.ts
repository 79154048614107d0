// Content negotiation by Accept: whether an HTML page is preferred to JSON. RFC 9110 §12.5.1.

const WEIGHED: readonly string[] = ['text/html', 'application/json', 'application/*', '*/*']

/** Browsers name about ten. */
const MAX_RANGES = 50

/** Browsers name text/html when they navigate; programs that accept anything, or JSON equally, do not want a page. */
export function prefersPage(accept = ''): boolean {
  const ranges = accept.split(',', MAX_RANGES).map(weighed)
  // V8 would keep every other key of a map (see `connections/request-headers.ts`).
  const weights = new Map(ranges.filter(([type]) => WEIGHED.includes(type)))
  const page = weights.get('text/html') ?? 0
  const json = weights.get('application/json')
  const others = weights.get('application/*') ?? weights.get('*/*') ?? 0
  return page > 0 && (json === undefined ? page >= others : page > json)
}

function weighed(range: string): [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((text) => text.trim().toLowerCase())
  const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
  return [type, weight === undefined ? 1 : Math.min(Number(weight) || 0, 1)]
}
