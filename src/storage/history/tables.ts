// Row types of tables that keep what events were.
import type { Visibility } from '../../domain/calendar/event.ts'

/** A deleted event: what is needed to store it again, and what a list shows of it. */
export interface TrashRow {
  event_id: string
  uid: string
  dav_name: string
  visibility: Visibility
  title: string
  all_day: 0 | 1
  timezone: string
  start_at: number
  duration_ms: number
  is_recurring: 0 | 1
  ical: string
  sent_ical: string | null
  mask_epoch: number
  /** Its last version. */
  version: number
  created_at: number
  updated_at: number
  created_by: string | null
  deleted_at: number
  deleted_by: string | null
  deleted_with: 'session' | 'password' | 'app_password' | 'token' | 'operator'
  /** The session, app password or token. */
  credential_id: string | null
}
