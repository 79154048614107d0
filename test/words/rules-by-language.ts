// Recurrence rules and how each language says them.
import type { Language } from '../../src/domain/languages.ts'

/** The words of one rule in every language. */
export interface TranslatedRule {
  rule: string
  words: Record<Language, string>
}

const at = (rule: string, words: Record<Language, string>): TranslatedRule => ({ rule, words })

export const TRANSLATED_RULES: readonly TranslatedRule[] = [
  at('FREQ=DAILY', { 'en-GB': 'every day', 'en-US': 'every day', de: 'jeden Tag' }),
  at('FREQ=DAILY;INTERVAL=2', { 'en-GB': 'every second day', 'en-US': 'every second day', de: 'jeden zweiten Tag' }),
  at('FREQ=DAILY;INTERVAL=10;COUNT=5', {
    'en-GB': 'every 10 days, 5 times',
    'en-US': 'every 10 days, 5 times',
    de: 'alle 10 Tage, 5-mal',
  }),
  at('FREQ=WEEKLY', { 'en-GB': 'every week', 'en-US': 'every week', de: 'jede Woche' }),
  at('FREQ=WEEKLY;INTERVAL=2', {
    'en-GB': 'every second week',
    'en-US': 'every second week',
    de: 'jede zweite Woche',
  }),
  at('FREQ=WEEKLY;BYDAY=TU', { 'en-GB': 'every Tuesday', 'en-US': 'every Tuesday', de: 'jeden Dienstag' }),
  at('FREQ=WEEKLY;BYDAY=WE,SU', {
    'en-GB': 'every Wednesday and Sunday',
    'en-US': 'every Wednesday and Sunday',
    de: 'jeden Mittwoch und Sonntag',
  }),
  at('FREQ=WEEKLY;BYDAY=MO,TH,SA', {
    'en-GB': 'every Monday, Thursday and Saturday',
    'en-US': 'every Monday, Thursday, and Saturday',
    de: 'jeden Montag, Donnerstag und Samstag',
  }),
  at('FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', {
    'en-GB': 'every weekday',
    'en-US': 'every weekday',
    de: 'jeden Werktag (Montag bis Freitag)',
  }),
  at('FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270630', {
    'en-GB': 'every second Tuesday until 30 June 2027',
    'en-US': 'every second Tuesday until June 30, 2027',
    de: 'jeden zweiten Dienstag bis 30. Juni 2027',
  }),
  at('FREQ=WEEKLY;INTERVAL=2;BYDAY=SA', {
    'en-GB': 'every second Saturday',
    'en-US': 'every second Saturday',
    de: 'jeden zweiten Samstag',
  }),
  at('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR', {
    'en-GB': 'every second week on Monday and Friday',
    'en-US': 'every second week on Monday and Friday',
    de: 'jede zweite Woche am Montag und Freitag',
  }),
  at('FREQ=WEEKLY;INTERVAL=3;BYDAY=WE', {
    'en-GB': 'every 3 weeks on Wednesday',
    'en-US': 'every 3 weeks on Wednesday',
    de: 'alle 3 Wochen am Mittwoch',
  }),
  at('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR', {
    'en-GB': 'every second week on Monday to Friday',
    'en-US': 'every second week, Monday through Friday',
    de: 'jede zweite Woche von Montag bis Freitag',
  }),
  at('FREQ=MONTHLY', { 'en-GB': 'every month', 'en-US': 'every month', de: 'jeden Monat' }),
  at('FREQ=MONTHLY;INTERVAL=5;COUNT=2', {
    'en-GB': 'every 5 months, 2 times',
    'en-US': 'every 5 months, 2 times',
    de: 'alle 5 Monate, 2-mal',
  }),
  at('FREQ=MONTHLY;BYMONTHDAY=1,22', {
    'en-GB': 'every month on the 1st and the 22nd',
    'en-US': 'every month on the 1st and the 22nd',
    de: 'jeden Monat am 1. und am 22.',
  }),
  at('FREQ=MONTHLY;BYMONTHDAY=-1', {
    'en-GB': 'every month on the last day',
    'en-US': 'every month on the last day',
    de: 'jeden Monat am letzten Tag',
  }),
  at('FREQ=MONTHLY;BYDAY=2TU', {
    'en-GB': 'every month on the second Tuesday',
    'en-US': 'every month on the second Tuesday',
    de: 'jeden Monat am zweiten Dienstag',
  }),
  at('FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR', {
    'en-GB': 'every 3 months on the last Friday',
    'en-US': 'every 3 months on the last Friday',
    de: 'alle 3 Monate am letzten Freitag',
  }),
  at('FREQ=MONTHLY;BYDAY=1WE,3WE', {
    'en-GB': 'every month on the first Wednesday and the third Wednesday',
    'en-US': 'every month on the first Wednesday and the third Wednesday',
    de: 'jeden Monat am ersten Mittwoch und am dritten Mittwoch',
  }),
  at('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', {
    'en-GB': 'every month on the last weekday',
    'en-US': 'every month on the last weekday',
    de: 'jeden Monat am letzten Werktag',
  }),
  at('FREQ=YEARLY', { 'en-GB': 'every year', 'en-US': 'every year', de: 'jedes Jahr' }),
  at('FREQ=YEARLY;INTERVAL=2;BYMONTH=7;BYMONTHDAY=14', {
    'en-GB': 'every second year on 14 July',
    'en-US': 'every second year on July 14',
    de: 'jedes zweite Jahr am 14. Juli',
  }),
  at('FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO', {
    'en-GB': 'every year on the last Monday of May',
    'en-US': 'every year on the last Monday of May',
    de: 'jedes Jahr am letzten Montag im Mai',
  }),
  at('FREQ=YEARLY;INTERVAL=4;BYMONTH=5', {
    'en-GB': 'every 4 years in May',
    'en-US': 'every 4 years in May',
    de: 'alle 4 Jahre im Mai',
  }),
  at('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1;COUNT=1', {
    'en-GB': 'every year on the last day of February, once',
    'en-US': 'every year on the last day of February, once',
    de: 'jedes Jahr am letzten Tag im Februar, einmal',
  }),
  at('FREQ=HOURLY', { 'en-GB': 'custom repetition', 'en-US': 'custom repetition', de: 'eigene Wiederholung' }),
]
