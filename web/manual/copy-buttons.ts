// Buttons that copy the examples of the API manual.
import { copying as words } from '../../src/words/manual.ts'

const SHOWN_MS = 2_000

export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code')) addButton(block)
}

function addButton(block: HTMLElement): void {
  const code = block.querySelector('code')
  if (!code) return
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = words.copy
  button.setAttribute('aria-label', words.label(block.dataset.title ?? ''))
  const status = document.createElement('span')
  status.setAttribute('role', 'status')
  status.className = 'unseen'
  button.addEventListener('click', async () => {
    const isCopied = await copyText(code)
    status.textContent = isCopied ? words.copied : words.failed
    button.textContent = status.textContent
    setTimeout(() => {
      button.textContent = words.copy
      status.textContent = ''
    }, SHOWN_MS)
  })
  block.append(button, status)
}

/** Browsers have no clipboard for pages over plain http; the text is then selected, for the keyboard. */
async function copyText(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(code)
    return false
  }
}
