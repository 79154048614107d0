// `daybook demo`
import type { Command } from './command.ts'
export const demo: Command = {
  name: 'demo',
  summary: 'fill the calendar with a small town’s events',
  usage: 'Usage: daybook demo',
  options: {},
  async act() {},
}
