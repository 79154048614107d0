// What a page is told of its site when it is served, and which pages there are.
import type { Visibility } from '../domain/calendar/event.ts'

/** Stands in every page as JSON; nothing in it depends on who asks. */
export interface SiteFacts {
  name: string
  /** '' or '/slug'. */
  root: string
  /** The base path of the API. */
  api: string
  /** The address people use, for links that leave the browser. */
  origin: string
  timezone: string
  /** Monday is 0. */
  week_start: number
  default_visibility: Visibility
  version: string
  /** Whether there is an administrator; only the page for setting up is told. */
  is_set_up?: boolean
}

/** Addresses of the web app, under the root. Each is a page of its own that can be opened, kept and sent on. */
export const PAGES = [
  '/',
  '/setup',
  '/sign-in',
  '/register',
  '/verify',
  '/forgot-password',
  '/reset-password',
  '/event/new',
  '/event/edit',
  '/account',
  '/account/app-passwords',
  '/account/feeds',
  '/account/tokens',
  '/account/sessions',
  '/admin',
  '/admin/people',
  '/admin/diagnostics',
  '/admin/audit',
  '/admin/transfer',
  '/admin/settings',
  '/embed',
] as const

export type PagePath = (typeof PAGES)[number]
