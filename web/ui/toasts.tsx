// Toasts: short messages that disappear by themselves, with an optional link or Undo, also by keyboard.
import type { JSX } from 'preact'
import { pathUnder, withLanguage } from '../site.ts'
import * as words from '../strings.ts'
import { createStore, useStore } from './store.ts'
import { undoShortcut } from './undo-key.ts'

interface Toast {
  id: number
  text: string
  undo?: (() => void) | undefined
  link?: ToastLink | undefined
}

interface ToastLink {
  /** Under the root. */
  to: string
  text: string
}

/** Long enough to read and to reach the button by keyboard. */
const SHOWN_MS = 10_000

const toasts = createStore<readonly Toast[]>([])
let lastId = 0

/** Replaces one that says the same and offers nothing, so that two saves do not show two equal messages. */
export function toast(text: string, undo?: () => void, link?: ToastLink): void {
  lastId += 1
  const id = lastId
  const others = toasts.get().filter((one) => one.text !== text || one.undo || one.link)
  toasts.set([...others, { id, text, undo, link }])
  if (undo) lastUndo = { id, undo }
  setTimeout(() => drop(id), SHOWN_MS)
}

/** After an action: without `undo` it cannot be undone, and the shortcut must not undo an earlier one in its place. */
export function toastChange(text: string, undo: (() => void) | undefined): void {
  if (!undo) forgetUndo()
  toast(text, undo)
}

/** The last action that can be undone, also after its toast has disappeared. */
let lastUndo: { id: number; undo: () => void } | undefined

/** Undoes the last action, once; false if there is none. */
export function undoLast(): boolean {
  if (!lastUndo) return false
  runUndo(lastUndo.id, lastUndo.undo)
  return true
}

/** What one user did is not undone by the next. */
export function forgetUndo(): void {
  lastUndo = undefined
}

function runUndo(id: number, undo: () => void): void {
  drop(id)
  if (lastUndo?.id === id) forgetUndo()
  undo()
}

const drop = (id: number): void => toasts.set(toasts.get().filter((one) => one.id !== id))

export function Toasts(): JSX.Element {
  const shown = useStore(toasts)
  return (
    <div class="toasts" role="status">
      {shown.map(({ id, text, undo, link }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          {link && (
            <a href={pathUnder(withLanguage(link.to))} onClick={() => drop(id)}>
              {link.text}
            </a>
          )}
          {undo && (
            <button type="button" aria-keyshortcuts={undoShortcut} onClick={() => runUndo(id, undo)}>
              {words.common.undo}
            </button>
          )}
          <button type="button" class="plain" aria-label={words.common.close} onClick={() => drop(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
