// Draws the app; its words are loaded by now.
import { render } from 'preact'
import { Frame } from './frame.tsx'
import { followLinks } from './router.tsx'
import { refreshSession, session, watchOtherTabs } from './session.ts'

export function start(): void {
  followLinks()
  watchOtherTabs()
  if (session.get().state === 'unknown') void refreshSession()
  render(<Frame />, document.getElementById('app')!)
}
