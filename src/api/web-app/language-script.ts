// Script inside pages that opens them again in the language chosen in the browser.
import { type Html, html, verbatim } from '../docs-page/html.ts'
import type { InlineScript } from './files.ts'

/** Before the style sheets, so that it runs before anything is drawn. */
export const languageScriptTag = (root: string, script: InlineScript | undefined): Html | undefined =>
  script && html`<script data-root="${root}">${verbatim(script.source)}</script>`
