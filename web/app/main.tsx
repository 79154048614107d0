// Entry point of the web app.
import { render } from 'preact'
import '../style/tokens.css'
import '../style/base.css'
import { Frame } from './frame.tsx'
import { followLinks } from './router.tsx'
import { refreshSession, session, watchOtherTabs } from './session.ts'

followLinks()
watchOtherTabs()
if (session.get().state === 'unknown') void refreshSession()
render(<Frame />, document.getElementById('app')!)
