// Shows why loading failed, with a button to try again.
import type { JSX } from 'preact'
import * as words from '../strings.ts'
import { explain } from './explain.ts'
import { Notice } from './notice.tsx'

export const LoadProblem = ({ error, onAgain }: { error: unknown; onAgain(): void }): JSX.Element => (
  <>
    <Notice kind="bad">{explain(error)}</Notice>
    <button type="button" onClick={onAgain}>
      {words.frame.tryAgain}
    </button>
  </>
)
