// Finds the day or hour that the quick form is about, and places the form beside it.
import type { GridSpan } from '../../../calendar/grid-span.ts'

/** On narrower screens a dialog is in the middle, as every other. */
const NARROW = '(max-width: 40rem)'
const GAP_PX = 8

/** The cell or the link that gets the focus afterwards, if it had none. */
export function targetOf({ start, isAllDay }: GridSpan): HTMLElement | undefined {
  const [date, time] = [start.slice(0, 10), start.slice(11, 16)]
  const slot = document.querySelector<HTMLElement>(`.cal-slots [data-date="${date}"][data-time="${time}"]`)
  const day = document.querySelector<HTMLElement>(`.cal [data-date="${date}"] .cal-link`)
  return (isAllDay ? undefined : slot) ?? day ?? undefined
}

/** What was marked, or the whole cell of the day. */
function areaOf(span: GridSpan): DOMRect | undefined {
  const marked = document.querySelector('.cal-highlight')?.getBoundingClientRect()
  if (marked?.width) return marked
  const target = targetOf(span)
  return (target?.closest('[role="gridcell"]') ?? target)?.getBoundingClientRect()
}

/** Beside the area, where there is room, and within the window, also when the form becomes higher. */
export function placeBeside(dialog: HTMLDialogElement, span: GridSpan): void {
  const area = areaOf(span)
  if (!area || matchMedia(NARROW).matches) return
  new ResizeObserver(() => {
    const { width, height } = dialog.getBoundingClientRect()
    const after = area.right + GAP_PX
    const left = after + width <= innerWidth ? after : area.left - GAP_PX - width
    Object.assign(dialog.style, {
      margin: '0',
      left: `${clamp(left, innerWidth - width)}px`,
      top: `${clamp(area.top, innerHeight - height)}px`,
    })
  }).observe(dialog)
}

const clamp = (wanted: number, most: number): number => Math.max(GAP_PX, Math.min(wanted, most - GAP_PX))
