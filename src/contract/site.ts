// Site facts embedded in every page of the web app, and the paths of its pages.
import type { Visibility } from '../domain/calendar/event.ts'
import type { Language } from '../domain/languages.ts'

/** Embedded in every page as JSON; nothing in it depends on the viewer. */
export interface SiteFacts {
  name: string
  /** '' or '/slug'. */
  root: string
  /** The base path of the API. */
  api: string
  /** The public URL, for links that leave the browser. */
  origin: string
  timezone: string
  /** Of the language of the page, or fixed by an administrator. Monday is 0. */
  week_start: number
  is_week_start_by_language: boolean
  /** Of readers whose browser names none that is offered. */
  language: Language
  default_visibility: Visibility
  /** Whether a mail server is set; without one, mails are files on the server. */
  has_mail: boolean
  /** Whether deleted events are kept for a time; without it deleting is final. */
  keeps_trash: boolean
  /** Whether what events were before a change is kept for a time. */
  keeps_history: boolean
  /** Whether people may request an account. */
  is_registration_open: boolean
  version: string
  /** How commands are run on the server: directly, or in a clone through npx. */
  command: string
  /** Whether there is an administrator; only set on the setup page. */
  is_set_up?: boolean
}

/** Paths of the web app, under the root. Each is a page that can be opened, bookmarked and shared. */
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
  '/event/history',
  '/trash',
  '/account',
  '/account/app-passwords',
  '/account/feeds',
  '/account/tokens',
  '/account/sessions',
  '/admin',
  '/admin/people',
  '/admin/categories',
  '/admin/health',
  '/admin/diagnostics',
  '/admin/audit',
  '/admin/transfer',
  '/admin/rewind',
  '/admin/settings',
  '/embed',
] as const

export type PagePath = (typeof PAGES)[number]
