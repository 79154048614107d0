// FullCalendar’s plugins: those of the first load, and those of other views, loaded when one is first shown.
import type { Calendar, PluginInput } from 'fullcalendar'
import dayGrid from 'fullcalendar/daygrid'
import list from 'fullcalendar/list'

/** Those of the month and of lists, and what was loaded since. */
const plugins: PluginInput[] = [dayGrid, list]

/** By how the names of their views begin. */
const loaders = new Map<string, () => Promise<{ default: PluginInput }>>([
  ['timeGrid', () => import('fullcalendar/timegrid')],
  ['multiMonth', () => import('fullcalendar/multimonth')],
])

export const loadedPlugins = (): readonly PluginInput[] => plugins

const findMissing = (viewName: string): string | undefined =>
  [...loaders.keys()].find((kind) => viewName.startsWith(kind))

/** Whether the view can be shown at once; `viewName` is FullCalendar’s. */
export const hasPlugin = (viewName: string): boolean => findMissing(viewName) === undefined

/** A load that failed is tried again with the next call. */
export async function loadPlugin(viewName: string): Promise<void> {
  const kind = findMissing(viewName)
  if (kind === undefined) return
  const { default: plugin } = await loaders.get(kind)!()
  if (loaders.delete(kind)) plugins.push(plugin)
}

/** For a view whose plugin may have been loaded after the calendar was made. */
export function changeView(calendar: Calendar, viewName: string, date?: string): void {
  const known = calendar.getOption('plugins') as readonly PluginInput[]
  const added = plugins.filter((plugin) => !known.includes(plugin))
  if (added.length > 0) calendar.resetOptions({ plugins: [...known, ...added] }, ['plugins'])
  calendar.changeView(viewName, date)
}
