// Toasts: short messages that disappear by themselves, with an optional Undo button or link.
import type { JSX } from 'preact'
import { pathUnder } from '../site.ts'
import * as words from '../strings.ts'
import { createStore, useStore } from './store.ts'

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
  setTimeout(() => drop(id), SHOWN_MS)
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
            <a href={pathUnder(link.to)} onClick={() => drop(id)}>
              {link.text}
            </a>
          )}
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
