// Something is on its way: quiet for a moment, then said.
import type { JSX } from 'preact'
import * as words from '../strings.ts'

export const Spinner = ({ text = words.common.loading }: { text?: string }): JSX.Element => (
  <p class="busy" role="status">
    <span class="busy-sign" aria-hidden="true" />
    {text}
  </p>
)
