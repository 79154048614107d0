// Keyboard shortcuts of the calendar page: single keys, which can be switched off (WCAG 2.2, 2.1.4).
import { useEffect, useRef } from 'preact/hooks'
import { site } from '../../site.ts'
import { createStore } from '../../ui/store.ts'

export type Shortcut = 'today' | 'new' | 'search' | 'previous' | 'next' | 'sheet'

const KEY = `daybook${site.root}:no-shortcuts`

export const areShortcutsOn = createStore(read())

export function switchShortcuts(isOn: boolean): void {
  areShortcutsOn.set(isOn)
  try {
    if (isOn) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, '1')
  } catch {}
}

function read(): boolean {
  try {
    return localStorage.getItem(KEY) === null
  } catch {
    return true
  }
}

/** An action that is undefined is not available, and its key is left to the browser. */
export function useShortcuts(actions: Partial<Record<Shortcut, (() => void) | undefined>>): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const shortcut = areShortcutsOn.get() ? shortcutOf(event) : undefined
      const act = shortcut && latest.current[shortcut]
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

const IN_USE = 'input, textarea, select, iframe, [contenteditable]'

/** Undefined in a field or a dialog, and for keys that the grid has handled. */
function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey, repeat, defaultPrevented } = event
  if (ctrlKey || metaKey || altKey || repeat || defaultPrevented) return undefined
  const { activeElement } = document
  if (document.querySelector('dialog[open]') || activeElement?.matches(IN_USE)) return undefined
  const isArrow = key === 'ArrowLeft' || key === 'ArrowRight'
  if (!isArrow) return KEYS[key.toLowerCase()]
  if (activeElement?.closest('[role="grid"], [role="radiogroup"]')) return undefined
  const isAhead = (key === 'ArrowRight') === (getComputedStyle(document.body).direction !== 'rtl')
  return isAhead ? 'next' : 'previous'
}

const KEYS: Record<string, Shortcut | undefined> = { t: 'today', n: 'new', '/': 'search', '?': 'sheet' }
