// First day of the week: fixed by a setting, or that of the language as Intl.Locale knows it.
import type { Language } from '../languages.ts'

/** Newer than the types of the compiler; browsers before it have the property. */
interface LocaleWithWeek {
  getWeekInfo?(): { firstDay: number }
  weekInfo?: { firstDay: number }
}

/** Where the browser knows neither; the other languages begin the week on Monday. */
const SUNDAY_FIRST: readonly Language[] = ['en-US']

/** Monday is 0, Sunday 6. */
export function weekStartOf(language: Language): number {
  const locale = new Intl.Locale(language) as LocaleWithWeek
  const info = locale.getWeekInfo?.() ?? locale.weekInfo
  if (info) return info.firstDay - 1
  return SUNDAY_FIRST.includes(language) ? 6 : 0
}

export interface WeekStartSetting {
  /** Of the API: fixed, or that of the calendar's own language. Monday is 0. */
  weekStart: number
  /** No administrator has fixed it. */
  isWeekStartByLanguage: boolean
}

/** Of a page in this language. */
export const pageWeekStart = ({ weekStart, isWeekStartByLanguage }: WeekStartSetting, language: Language): number =>
  isWeekStartByLanguage ? weekStartOf(language) : weekStart
