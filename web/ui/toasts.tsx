// Toasts: short messages that disappear by themselves, with an optional Undo button.
import type { JSX } from 'preact'
import * as words from '../strings.ts'
import { createStore, useStore } from './store.ts'

interface Toast {
  id: number
  text: string
  undo?: (() => void) | undefined
}

/** Long enough to read and to reach the button by keyboard. */
const SHOWN_MS = 10_000

const toasts = createStore<readonly Toast[]>([])
let lastId = 0

export function toast(text: string, undo?: () => void): void {
  lastId += 1
  const id = lastId
  toasts.set([...toasts.get(), { id, text, undo }])
  setTimeout(() => drop(id), SHOWN_MS)
}

const drop = (id: number): void => toasts.set(toasts.get().filter((one) => one.id !== id))

export function Toasts(): JSX.Element {
  const shown = useStore(toasts)
  return (
    <div class="toasts" role="status">
      {shown.map(({ id, text, undo }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          {undo && (
            <button
              type="button"
              onClick={() => {
                drop(id)
                undo()
              }}
            >
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
