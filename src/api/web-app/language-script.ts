// Script element that opens a page again in the language chosen in the browser.
import { type Html, html } from '../docs-page/html.ts'

/**
 * Before the style sheets: it is loaded with them, and runs before anything is drawn. A page that loads none is not
 * kept waiting (`isAsync`): readers who have chosen a language have the script in their cache.
 */
export const languageScriptTag = (root: string, path: string | undefined, isAsync = false): Html | undefined =>
  path === undefined
    ? undefined
    : html`<script${isAsync ? html` async` : undefined} src="${root}${path}" data-root="${root}"></script>`
