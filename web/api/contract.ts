// Made by web/build/write-contract.ts from the service’s own description of its API. Not to be edited: `npm run contract`.

export type Occurrence = { id: string; title: string; start: string; end: string; all_day: boolean; start_date?: string; end_date?: string; visibility: "public" | "private"; description: string | null; location: string | null; category: string | null; url: string | null; status: "confirmed" | "tentative" | "cancelled"; recurring: boolean; occurrence_key: string | null; rrule: string | null; uid: string; transparency: "opaque" | "transparent"; timezone: string; created_at: string; updated_at: string; created_by: string | null; updated_by: string | null; version: number; etag: string }

export type RecurrenceException = { occurrence_key: string; type: "excluded" | "overridden"; created_at: string; created_by: string | null; title?: string; description?: string | null; location?: string | null; category?: string | null; url?: string | null; status?: "confirmed" | "tentative" | "cancelled"; start?: string; end?: string }

export type Event = { id: string; title: string; start: string; end: string; all_day: boolean; start_date?: string; end_date?: string; visibility: "public" | "private"; description: string | null; location: string | null; category: string | null; url: string | null; status: "confirmed" | "tentative" | "cancelled"; recurring: boolean; occurrence_key: string | null; rrule: string | null; rdates: (string)[]; exdates: (string)[]; last_listed?: string; exceptions: (RecurrenceException)[]; uid: string; transparency: "opaque" | "transparent"; timezone: string; created_at: string; updated_at: string; created_by: string | null; updated_by: string | null; version: number; etag: string }

export type PublicEvent = { id: string; title: string; start: string; end: string; all_day: boolean; start_date?: string; end_date?: string; visibility: "public"; description: string | null; location: string | null; category: string | null; url: string | null; status: "confirmed" | "tentative" | "cancelled"; recurring: boolean; occurrence_key: string | null; timezone: string; rrule?: string | null; rdates?: (string)[]; exdates?: (string)[]; last_listed?: string }

export type MaskedEvent = { id: string; title: "Private Event"; start: string; end: string; all_day: boolean; start_date?: string; end_date?: string; visibility: "private" }

export type Pagination = { page: number; per_page: number; total: number; total_pages: number }

export type Meta = { pagination?: Pagination; range?: { from: string; to: string }; timezone?: string; view?: string; version?: number; counts?: Record<string, number>; warnings?: (string)[]; password_link?: "mail" | "file"; dropped_exceptions?: (string)[] }

export type Error = { error: { code: string; message: string; details?: { fields?: ({ field: string; code: "required" | "invalid_type" | "invalid_format" | "too_short" | "too_long" | "out_of_range" | "not_allowed" | "unknown_field" | "timezone_unknown" | "end_before_start" | "range_empty" | "range_too_large" | "rrule_invalid" | "rrule_unsupported" | "rrule_no_occurrences" | "password_common" | "url_scheme"; message: string })[]; current_version?: number; current_etag?: string; from?: string; to?: string; allowed?: (string)[]; reason?: string; line?: number; request_id?: string } } }

export type MaskedSeries = { id: string; title: "Private Event"; start: string; end: string; all_day: boolean; start_date?: string; end_date?: string; visibility: "private"; timezone: string; rrule?: string; rdates?: (string)[]; exdates?: (string)[]; last_listed?: string }

export type UnseenEvent = { id: string }

export type NewEvent = { title: string; description?: string | null; location?: string | null; category?: string | null; visibility?: "public" | "private" | null; start: string; end: string; all_day?: boolean | null; timezone?: string | null; rrule?: string | null; rdates?: (string)[] | null; exdates?: (string)[] | null; status?: "confirmed" | "tentative" | "cancelled" | null; transparency?: "opaque" | "transparent" | null; url?: string | null; uid?: string }

export type EventReplacement = { id?: unknown; uid?: unknown; exceptions?: unknown; occurrence_key?: unknown; recurring?: unknown; last_listed?: unknown; start_date?: unknown; end_date?: unknown; created_at?: unknown; updated_at?: unknown; created_by?: unknown; updated_by?: unknown; etag?: unknown; title: string; description?: string | null; location?: string | null; category?: string | null; visibility?: "public" | "private" | null; start: string; end: string; all_day?: boolean | null; timezone?: string | null; rrule?: string | null; rdates?: (string)[] | null; exdates?: (string)[] | null; status?: "confirmed" | "tentative" | "cancelled" | null; transparency?: "opaque" | "transparent" | null; url?: string | null; version?: number }

export type EventPatch = { id?: unknown; uid?: unknown; exceptions?: unknown; occurrence_key?: unknown; recurring?: unknown; last_listed?: unknown; start_date?: unknown; end_date?: unknown; created_at?: unknown; updated_at?: unknown; created_by?: unknown; updated_by?: unknown; etag?: unknown; title?: string | null; description?: string | null; location?: string | null; category?: string | null; visibility?: "public" | "private" | null; start?: string | null; end?: string | null; all_day?: boolean | null; timezone?: string | null; rrule?: string | null; rdates?: (string)[] | null; exdates?: (string)[] | null; status?: "confirmed" | "tentative" | "cancelled" | null; transparency?: "opaque" | "transparent" | null; url?: string | null; version?: number }

export type OccurrencePatch = { title?: string | null; description?: string | null; location?: string | null; category?: string | null; url?: string | null; status?: "confirmed" | "tentative" | "cancelled" | null; start?: string | null; end?: string | null; version?: number }

export type SidebarEvent = { id: string; title: string; start: string; end: string; all_day: boolean; start_date?: string; end_date?: string; visibility: "public" | "private"; occurrence_key?: string | null; location?: string | null }

export type Category = { name: string; count: number }

export type User = { id: string; email: string; display_name: string; role: "reader" | "writer" | "admin"; approval_state: "pending_approval" | "approved" | "rejected" | "suspended"; email_verified: boolean; email_verified_at: string | null; password_state: "set" | "disputed" | "none"; request_message: string | null; request_count: number; last_requested_at: string | null; created_at: string; decided_at: string | null; decided_by: string | null; last_login_at: string | null; version: number }

export type UserChange = { approval_state?: "pending_approval" | "approved" | "rejected" | "suspended"; role?: "reader" | "writer" | "admin"; email_verified?: boolean; display_name?: string; notify?: boolean; version?: number }

export type Rejection = { id: string; approval_state: "pending_approval" | "approved" | "rejected" | "suspended" | null; error?: "user_not_found" | "invalid_state_transition" }

export type RejectRequest = { ids: (string)[]; notify?: boolean }

export type Trace = { id: string; at: string; request_id: string; node: string; duration_ms: number; auth: "anonymous" | "session" | "basic" | "token"; user_id: string | null; client_net: string | null; request: { method: string; route: string | null; query: Record<string, string>; headers: { "user-agent"?: string; accept?: string; "content-type"?: string; depth?: string; "if-match"?: string; "if-none-match"?: string; prefer?: string; origin?: string; "sec-fetch-site"?: string; authorization?: string; cookie?: string; "x-csrf-token"?: string }; body: Record<string, string> | null; bytes: number | null }; response: { status: number; error_code: string | null; headers: { "content-type"?: string; etag?: string; "retry-after"?: string; location?: string; "set-cookie"?: string }; bytes: number | null }; rate_policy: string | null }

export type AuditEntry = { id: string; at: string; action: "user_registered" | "email_verified" | "user_changed" | "user_deleted" | "unproven_users_removed" | "user_sessions_ended" | "account_created_by_operator" | "setup_completed" | "login_succeeded" | "login_failed" | "login_refused" | "logged_out" | "password_changed" | "password_reset" | "password_invalidated" | "token_refused" | "session_ended" | "all_sessions_ended" | "app_password_created" | "app_password_deleted" | "api_token_created" | "api_token_deleted" | "feed_link_created" | "feed_link_deleted" | "calendar_imported" | "calendar_exported" | "credentials_in_clear" | "credential_revoked" | "access_denied"; actor_id: string | null; actor_name: string | null; subject_id: string | null; subject_name: string | null; request_id: string | null; detail: Record<string, unknown> }

export type ImportReport = { dry_run: boolean; created: number; updated: number; unchanged: number; skipped: number; truncated: boolean; events: ({ uid: string | null; title: string; result: "created" | "updated" | "unchanged" | "skipped"; reason?: "todo" | "journal" | "free_busy" | "unknown_component" | "message" | "end_missing" | "nested" | "line_too_long" | "too_many_lines" | "too_large" | "uid_missing" | "uid_too_long" | "uid_repeated" | "unreadable" | "encoded" | "times_unreadable" | "too_long" | "timezone_unknown" | "rrule_invalid" | "rrule_unsupported" | "rrule_no_occurrences" | "rules_combined" | "dates_unreadable" | "dates_out_of_range" | "too_many_exceptions" | "too_many_periods" | "this_and_future" | "occurrence_without_series" | "occurrence_unreadable" | "title_too_long" | "description_too_long" | "location_too_long" | "category_too_long" | "url_too_long" | "too_many_words" | "not_stored"; message?: string; line: number })[] }

export type Setting = { name: string; environment: string; value: string; origin: "environment" | "file" | "setup" | "default"; meaning: string }

export type Administrator = { id: string; email: string; display_name: string; role: string; site: { site_name: string; timezone: string; week_start: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday" } }

export type SetupRequest = { code: string; email: string; password: string; display_name?: string; site_name?: string; timezone?: string; week_start?: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday" }

export type ProofChallenge = { required: boolean; challenge?: {  } }

export type RegistrationAccepted = { approval_state: "pending_approval"; email_verification: "sent" }

export type RegisterRequest = { email: string; password: string; display_name: string; message?: string; website?: string; proof?: string }

export type EmailVerified = { email_verified: boolean; approval_state: "pending_approval" | "approved" | "rejected" | "suspended"; password_needed?: boolean }

export type VerifyRequest = { token: string }

export type ForgotPasswordAccepted = { status: "accepted" }

export type ForgotPasswordRequest = { email: string; proof?: string }

export type PasswordReset = { status: "password_changed" }

export type ResetPasswordRequest = { token: string; password: string }

export type OwnAccount = { id: string; email: string; display_name: string; role: "reader" | "writer" | "admin"; approval_state: "pending_approval" | "approved" | "rejected" | "suspended"; email_verified: boolean }

export type Session = { user: OwnAccount; auth: "session" | "basic" | "token"; scopes?: ("events:read" | "events:write" | "admin")[]; csrf_token?: string; expires_at?: string }

export type LoginRequest = { email: string; password: string; remember?: boolean }

export type SessionEntry = { id: string; current: boolean; remembered: boolean; created_at: string; last_seen_at: string; expires_at: string; client_net: string; user_agent: string }

export type PasswordChange = { current_password: string; password: string }

export type AppPassword = { id: string; name: string; created_at: string; last_used_at: string | null }

export type MadeAppPassword = { id: string; name: string; created_at: string; last_used_at: string | null; password: string }

export type NewAppPassword = { name: string }

export type Token = { id: string; name: string; created_at: string; last_used_at: string | null; scopes: ("events:read" | "events:write" | "admin")[]; last_four: string; expires_at: string }

export type MadeToken = { id: string; name: string; created_at: string; last_used_at: string | null; scopes: ("events:read" | "events:write" | "admin")[]; last_four: string; expires_at: string; token: string }

export type NewToken = { name: string; scopes: ("events:read" | "events:write" | "admin")[]; expires_in_days?: number }

export type FeedLink = { id: string; name: string; detail: "full" | "masked"; category: string | null; created_at: string; last_used_at: string | null }

export type MadeFeedLink = { id: string; name: string; detail: "full" | "masked"; category: string | null; created_at: string; last_used_at: string | null; url: string }

export type NewFeedLink = { name: string; detail?: "full" | "masked"; category?: string | null }

export type FeedLinkName = { name: string }

export interface Operations {
  listEvents: { path: {  }; query: { from?: string; to?: string; view?: "list" | "day" | "week" | "month" | "year"; timezone?: string; page?: number; per_page?: number; q?: string; category?: string; expand?: boolean }; body: undefined; answer: { data: (Occurrence | Event | PublicEvent | MaskedEvent)[]; meta?: Meta } }
  createEvent: { path: {  }; query: {  }; body: NewEvent; answer: { data: Event | PublicEvent | MaskedSeries | UnseenEvent; meta?: Meta } }
  getEvent: { path: { event_id: string }; query: { timezone?: string }; body: undefined; answer: { data: Event | PublicEvent | MaskedSeries; meta?: Meta } }
  replaceEvent: { path: { event_id: string }; query: {  }; body: EventReplacement; answer: { data: Event | PublicEvent | MaskedSeries | UnseenEvent; meta?: Meta } }
  patchEvent: { path: { event_id: string }; query: {  }; body: EventPatch; answer: { data: Event | PublicEvent | MaskedSeries | UnseenEvent; meta?: Meta } }
  deleteEvent: { path: { event_id: string }; query: {  }; body: undefined; answer: undefined }
  listOccurrences: { path: { event_id: string }; query: { from?: string; to?: string; view?: "list" | "day" | "week" | "month" | "year"; timezone?: string; page?: number; per_page?: number }; body: undefined; answer: { data: (Occurrence | PublicEvent | MaskedEvent)[]; meta?: Meta } }
  getOccurrence: { path: { event_id: string; occurrence_key: string }; query: { timezone?: string }; body: undefined; answer: { data: Occurrence | PublicEvent | MaskedEvent; meta?: Meta } }
  patchOccurrence: { path: { event_id: string; occurrence_key: string }; query: {  }; body: OccurrencePatch; answer: { data: Occurrence | PublicEvent | MaskedEvent | UnseenEvent; meta?: Meta } }
  deleteOccurrence: { path: { event_id: string; occurrence_key: string }; query: {  }; body: undefined; answer: undefined }
  deleteException: { path: { event_id: string; occurrence_key: string }; query: {  }; body: undefined; answer: undefined }
  listPublicEvents: { path: {  }; query: { from?: string; to?: string; view?: "list" | "day" | "week" | "month" | "year"; timezone?: string; page?: number; per_page?: number; q?: string; category?: string; expand?: boolean }; body: undefined; answer: { data: (PublicEvent | MaskedEvent)[]; meta?: Meta } }
  getPublicEvent: { path: { event_id: string }; query: { timezone?: string }; body: undefined; answer: { data: PublicEvent | MaskedSeries; meta?: Meta } }
  listSidebarEvents: { path: {  }; query: { limit?: number; timezone?: string }; body: undefined; answer: { data: (SidebarEvent)[]; meta?: Meta } }
  listCategories: { path: {  }; query: {  }; body: undefined; answer: { data: (Category)[]; meta?: Meta } }
  getCalendarFeed: { path: {  }; query: { category?: string; from?: string }; body: undefined; answer: undefined }
  getEventFile: { path: { event_id: string }; query: {  }; body: undefined; answer: undefined }
  getLinkedFeed: { path: { secret: string }; query: {  }; body: undefined; answer: undefined }
  listUsers: { path: {  }; query: { approval_state?: "pending_approval" | "approved" | "rejected" | "suspended"; role?: "reader" | "writer" | "admin"; email_verified?: boolean; q?: string; sort?: "created_at" | "-created_at" | "email"; page?: number; per_page?: number }; body: undefined; answer: { data: (User)[]; meta?: Meta } }
  getUser: { path: { user_id: string }; query: {  }; body: undefined; answer: { data: User; meta?: Meta } }
  changeUser: { path: { user_id: string }; query: {  }; body: UserChange; answer: { data: User; meta?: Meta } }
  deleteUser: { path: { user_id: string }; query: {  }; body: undefined; answer: undefined }
  rejectUsers: { path: {  }; query: {  }; body: RejectRequest; answer: { data: (Rejection)[]; meta?: Meta } }
  endUserSessions: { path: { user_id: string }; query: {  }; body: undefined; answer: undefined }
  listDiagnostics: { path: {  }; query: { limit?: number }; body: undefined; answer: { data: (Trace)[]; meta?: Meta } }
  listAudit: { path: {  }; query: { action?: "user_registered" | "email_verified" | "user_changed" | "user_deleted" | "unproven_users_removed" | "user_sessions_ended" | "account_created_by_operator" | "setup_completed" | "login_succeeded" | "login_failed" | "login_refused" | "logged_out" | "password_changed" | "password_reset" | "password_invalidated" | "token_refused" | "session_ended" | "all_sessions_ended" | "app_password_created" | "app_password_deleted" | "api_token_created" | "api_token_deleted" | "feed_link_created" | "feed_link_deleted" | "calendar_imported" | "calendar_exported" | "credentials_in_clear" | "credential_revoked" | "access_denied"; user_id?: string; page?: number; per_page?: number }; body: undefined; answer: { data: (AuditEntry)[]; meta?: Meta } }
  importCalendar: { path: {  }; query: { dry_run?: boolean }; body: undefined; answer: { data: ImportReport; meta?: Meta } }
  exportCalendar: { path: {  }; query: {  }; body: undefined; answer: undefined }
  listSettings: { path: {  }; query: {  }; body: undefined; answer: { data: (Setting)[]; meta?: Meta } }
  setUp: { path: {  }; query: {  }; body: SetupRequest; answer: { data: Administrator; meta?: Meta } }
  getChallenge: { path: {  }; query: {  }; body: undefined; answer: { data: ProofChallenge; meta?: Meta } }
  registerUser: { path: {  }; query: {  }; body: RegisterRequest; answer: { data: RegistrationAccepted; meta?: Meta } }
  verifyEmail: { path: {  }; query: {  }; body: VerifyRequest; answer: { data: EmailVerified; meta?: Meta } }
  forgotPassword: { path: {  }; query: {  }; body: ForgotPasswordRequest; answer: { data: ForgotPasswordAccepted; meta?: Meta } }
  resetPassword: { path: {  }; query: {  }; body: ResetPasswordRequest; answer: { data: PasswordReset; meta?: Meta } }
  logIn: { path: {  }; query: {  }; body: LoginRequest; answer: { data: Session; meta?: Meta } }
  logOut: { path: {  }; query: {  }; body: undefined; answer: undefined }
  getSession: { path: {  }; query: {  }; body: undefined; answer: { data: Session; meta?: Meta } }
  listSessions: { path: {  }; query: {  }; body: undefined; answer: { data: (SessionEntry)[]; meta?: Meta } }
  endSessions: { path: {  }; query: {  }; body: undefined; answer: undefined }
  endSession: { path: { session_id: string }; query: {  }; body: undefined; answer: undefined }
  changePassword: { path: {  }; query: {  }; body: PasswordChange; answer: { data: Session; meta?: Meta } }
  listAppPasswords: { path: {  }; query: {  }; body: undefined; answer: { data: (AppPassword)[]; meta?: Meta } }
  createAppPassword: { path: {  }; query: {  }; body: NewAppPassword; answer: { data: MadeAppPassword; meta?: Meta } }
  deleteAppPassword: { path: { app_password_id: string }; query: {  }; body: undefined; answer: undefined }
  listTokens: { path: {  }; query: {  }; body: undefined; answer: { data: (Token)[]; meta?: Meta } }
  createToken: { path: {  }; query: {  }; body: NewToken; answer: { data: MadeToken; meta?: Meta } }
  deleteToken: { path: { token_id: string }; query: {  }; body: undefined; answer: undefined }
  listFeedLinks: { path: {  }; query: {  }; body: undefined; answer: { data: (FeedLink)[]; meta?: Meta } }
  createFeedLink: { path: {  }; query: {  }; body: NewFeedLink; answer: { data: MadeFeedLink; meta?: Meta } }
  renameFeedLink: { path: { feed_id: string }; query: {  }; body: FeedLinkName; answer: { data: FeedLink; meta?: Meta } }
  deleteFeedLink: { path: { feed_id: string }; query: {  }; body: undefined; answer: undefined }
  getOpenApi: { path: {  }; query: {  }; body: undefined; answer: undefined }
  getDocs: { path: {  }; query: {  }; body: undefined; answer: undefined }
}

export const PLACES = {
  listEvents: { method: 'GET', path: '/events' },
  createEvent: { method: 'POST', path: '/events' },
  getEvent: { method: 'GET', path: '/events/{event_id}' },
  replaceEvent: { method: 'PUT', path: '/events/{event_id}' },
  patchEvent: { method: 'PATCH', path: '/events/{event_id}' },
  deleteEvent: { method: 'DELETE', path: '/events/{event_id}' },
  listOccurrences: { method: 'GET', path: '/events/{event_id}/occurrences' },
  getOccurrence: { method: 'GET', path: '/events/{event_id}/occurrences/{occurrence_key}' },
  patchOccurrence: { method: 'PATCH', path: '/events/{event_id}/occurrences/{occurrence_key}' },
  deleteOccurrence: { method: 'DELETE', path: '/events/{event_id}/occurrences/{occurrence_key}' },
  deleteException: { method: 'DELETE', path: '/events/{event_id}/exceptions/{occurrence_key}' },
  listPublicEvents: { method: 'GET', path: '/public/events' },
  getPublicEvent: { method: 'GET', path: '/public/events/{event_id}' },
  listSidebarEvents: { method: 'GET', path: '/public/sidebar-events' },
  listCategories: { method: 'GET', path: '/public/categories' },
  getCalendarFeed: { method: 'GET', path: '/public/calendar.ics' },
  getEventFile: { method: 'GET', path: '/public/events/{event_id}/event.ics' },
  getLinkedFeed: { method: 'GET', path: '/feeds/{secret}.ics' },
  listUsers: { method: 'GET', path: '/admin/users' },
  getUser: { method: 'GET', path: '/admin/users/{user_id}' },
  changeUser: { method: 'PATCH', path: '/admin/users/{user_id}' },
  deleteUser: { method: 'DELETE', path: '/admin/users/{user_id}' },
  rejectUsers: { method: 'POST', path: '/admin/users/reject' },
  endUserSessions: { method: 'DELETE', path: '/admin/users/{user_id}/sessions' },
  listDiagnostics: { method: 'GET', path: '/admin/diagnostics' },
  listAudit: { method: 'GET', path: '/admin/audit' },
  importCalendar: { method: 'POST', path: '/admin/import' },
  exportCalendar: { method: 'GET', path: '/admin/export.ics' },
  listSettings: { method: 'GET', path: '/admin/settings' },
  setUp: { method: 'POST', path: '/setup' },
  getChallenge: { method: 'GET', path: '/users/challenge' },
  registerUser: { method: 'POST', path: '/users/register' },
  verifyEmail: { method: 'POST', path: '/users/verify' },
  forgotPassword: { method: 'POST', path: '/users/forgot-password' },
  resetPassword: { method: 'POST', path: '/users/reset-password' },
  logIn: { method: 'POST', path: '/auth/login' },
  logOut: { method: 'POST', path: '/auth/logout' },
  getSession: { method: 'GET', path: '/auth/session' },
  listSessions: { method: 'GET', path: '/auth/sessions' },
  endSessions: { method: 'DELETE', path: '/auth/sessions' },
  endSession: { method: 'DELETE', path: '/auth/sessions/{session_id}' },
  changePassword: { method: 'POST', path: '/auth/change-password' },
  listAppPasswords: { method: 'GET', path: '/auth/app-passwords' },
  createAppPassword: { method: 'POST', path: '/auth/app-passwords' },
  deleteAppPassword: { method: 'DELETE', path: '/auth/app-passwords/{app_password_id}' },
  listTokens: { method: 'GET', path: '/auth/tokens' },
  createToken: { method: 'POST', path: '/auth/tokens' },
  deleteToken: { method: 'DELETE', path: '/auth/tokens/{token_id}' },
  listFeedLinks: { method: 'GET', path: '/auth/feeds' },
  createFeedLink: { method: 'POST', path: '/auth/feeds' },
  renameFeedLink: { method: 'PATCH', path: '/auth/feeds/{feed_id}' },
  deleteFeedLink: { method: 'DELETE', path: '/auth/feeds/{feed_id}' },
  getOpenApi: { method: 'GET', path: '/openapi.json' },
  getDocs: { method: 'GET', path: '/docs' },
} as const satisfies Record<keyof Operations, { method: string; path: string }>
