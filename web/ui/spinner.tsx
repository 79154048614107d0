// Loading indicator; CSS keeps it hidden for the first 0.4 seconds.
import type { JSX } from 'preact'
import * as words from '../strings.ts'

export const Spinner = ({ text = words.common.loading }: { text?: string }): JSX.Element => (
  <p class="busy" role="status">
    <span class="busy-sign" aria-hidden="true" />
    {text}
  </p>
)
