// Keyboard shortcut of Undo: Ctrl+Z, on Apple systems Cmd+Z.
import { useEffect } from 'preact/hooks'

const isApple = /^(?:Mac|iP)/.test(navigator.platform)

export const undoShortcut = isApple ? 'Meta+Z' : 'Control+Z'

/** `onUndo` returns whether there was something to undo; otherwise the browser handles the key. */
export function useUndoKey(onUndo: () => boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isUndo(event) && !event.defaultPrevented && !isOccupied() && onUndo()) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [onUndo])
}

function isUndo({ key, ctrlKey, metaKey, shiftKey, altKey, repeat }: KeyboardEvent): boolean {
  const isHeld = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey
  return isHeld && !shiftKey && !altKey && !repeat && key.toLowerCase() === 'z'
}

/** In a field the key undoes typing, and a dialog is about something else. */
const isOccupied = (): boolean =>
  document.querySelector('dialog[open]') !== null ||
  document.activeElement?.matches('input, textarea, select, iframe, [contenteditable]') === true
