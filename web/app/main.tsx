// Entry point of the web app.
import { render } from 'preact'
import '../style/tokens.css'
import '../style/base.css'
import { Frame } from './frame.tsx'
import { followLinks } from './router.tsx'
import { takeOverServedPage } from './served-page.ts'
import { refreshSession, session, watchOtherTabs } from './session.ts'

followLinks()
watchOtherTabs()
if (session.get().state === 'unknown') void refreshSession()
takeOverServedPage(session.get().state === 'unknown')
render(<Frame />, document.getElementById('app')!)
