// Links to the sign-in page and the calendar, for pages that have nothing to show this visitor.
import type { JSX } from 'preact'
import * as words from '../strings.ts'
import { Link } from './router.tsx'

export const ExitLinks = (): JSX.Element => (
  <p class="actions">
    <Link class="button main" to="/sign-in">
      {words.frame.signIn}
    </Link>
    <Link class="button" to="/">
      {words.frame.toCalendar}
    </Link>
  </p>
)
