// Use of the database connections of one kind: how many are taken, waiting times, statement times.
import { DATABASE_BOUNDS, Histogram } from '../../ops/histogram.ts'

export interface PoolUsage {
  inUse: number
  waiting: number
}

export interface PoolMetrics {
  name: 'reads' | 'writes' | 'costly'
  /** How many connections there may be. */
  size: number
  usage(): PoolUsage
  /** Time that work waited for a connection. */
  waits: Histogram
  /** Time of single statements. */
  statements: Histogram
}

export const createPoolMetrics = (name: PoolMetrics['name'], size: number, usage: () => PoolUsage): PoolMetrics => ({
  name,
  size,
  usage,
  waits: new Histogram(DATABASE_BOUNDS),
  statements: new Histogram(DATABASE_BOUNDS),
})
