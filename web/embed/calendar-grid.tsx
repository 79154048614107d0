// To be joined to the grid of the calendar page.
export function showCalendar(
  _inside: ShadowRoot,
  place: HTMLElement,
  _attribute: (name: string) => string | undefined,
): () => void {
  place.replaceChildren('…')
  return () => {}
}
