// The phrases that each language has for recurrence rules; grammar is left to the language.

/** Weekdays are numbers from 0, Monday; months are numbers from 1. */
export interface RuleWords {
  /** A rule without common words. */
  custom: string
  /** Names for labels, from Monday. */
  days: readonly string[]
  shortDays: readonly string[]
  /** Names for labels, from January. */
  months: readonly string[]
  and(phrases: readonly string[]): string
  /** `every weekday`: Monday to Friday. */
  everyWeekday: string
  /** `every day`, `every second week`, `every 3 months` */
  every(interval: number, unit: RuleUnit): string
  /** `every Tuesday and Friday` */
  everyDays(days: readonly number[]): string
  /** `every second Tuesday` */
  everySecondDay(day: number): string
  /** `every second week on Monday and Friday`: an interval, then days of the week. */
  weekOn(every: string, days: readonly number[]): string
  /** `every second week on Monday to Friday` */
  weekdaysOf(every: string): string
  /** `every second week on every day` */
  allDaysOf(every: string): string
  /** `the 14th`: a day of the month as a phrase of `on`. */
  monthDay(day: number): string
  lastDay: string
  /** `the second Tuesday`; -1 is the last one, `weekday` any of Monday to Friday. */
  place(which: number, day: number | 'weekday'): string
  /** `every month on the second Tuesday`; some languages say `the second Tuesday of every month`. */
  on(every: string, phrase: string, interval: number, unit: RuleUnit): string
  /** `every year in May` */
  in(every: string, month: number): string
  /** `the second Tuesday of May` */
  of(phrase: string, month: number): string
  /** `30 June 2027` */
  date(day: number, month: number, year?: number): string
  /** `every year on 14 July` */
  onDate(every: string, date: string): string
  /** ` until 30 June 2027`, with the space or comma before it. */
  until(date: string): string
  /** `, 5 times` */
  times(count: number): string
}

export type RuleUnit = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
