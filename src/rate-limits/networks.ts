// Networks that an address is counted under: IPv6 /64, /56 and /48; the IPv4 address and its /24.
import { isIP } from 'node:net'

/** Prefix lengths of the networks around the narrowest one: a provider assigns one customer a /56 or a whole /48. */
export const WIDTHS = ['56', '48', '24'] as const
export type NetworkWidth = (typeof WIDTHS)[number]

export interface CountedNetwork {
  name: string
  /** Undefined for the narrowest. */
  width: NetworkWidth | undefined
}

/** The narrowest first. */
export function networksOf(address: string): CountedNetwork[] {
  const narrowest = { name: networkOf(address), width: undefined }
  const family = isIP(address)
  if (family === 4) return [narrowest, { name: `${address.slice(0, address.lastIndexOf('.'))}.0/24`, width: '24' }]
  if (family !== 6) return [narrowest]
  const [a, b, c, d] = narrowest.name.split(':', 4)
  const upper = (Number.parseInt(d!, 16) & 0xff00).toString(16)
  return [
    narrowest,
    { name: `${a}:${b}:${c}:${upper}::/56`, width: '56' },
    { name: `${a}:${b}:${c}::/48`, width: '48' },
  ]
}

/** The widest first: the order in which fair queues divide their turns. */
export const networkPathOf = (address: string): string[] =>
  networksOf(address)
    .map(({ name }) => name)
    .reverse()

/** The key that limits count by: an IPv4 address, or the /64 of one IPv6 customer. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const groups =
    tail === undefined ? left : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/** The /24 or /48: enough to recognise a network, not enough to identify a person. */
export function roughNetworkOf(address: string): string {
  if (isIP(address) === 4) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  return isIP(address) === 6 ? `${networkOf(address).split(':').slice(0, 3).join(':')}::/48` : ''
}
