// Links to the sign-in page and the calendar, for pages that have nothing to show this visitor.
import type { JSX } from 'preact'
import * as words from '../strings.ts'
import { withNext } from './post-login-redirect.ts'
import { Link, useRoute } from './router.tsx'

export const ExitLinks = (): JSX.Element => (
  <p class="actions">
    <Link class="button main" to={withNext('/sign-in', useRoute())}>
      {words.frame.signIn}
    </Link>
    <Link class="button" to="/">
      {words.frame.toCalendar}
    </Link>
  </p>
)
