// Where the web app begins.
import { render } from 'preact'
import '../style/tokens.css'
import '../style/base.css'
import { Frame } from './frame.tsx'
import { followLinks } from './router.tsx'
import { refreshSession, session } from './session.ts'

followLinks()
if (session.get().state === 'unknown') void refreshSession()
render(<Frame />, document.getElementById('app')!)
