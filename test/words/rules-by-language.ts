// Recurrence rules and how each language says them.
import type { Language } from '../../src/domain/languages.ts'

/** The words of one rule in every language. */
export interface TranslatedRule {
  rule: string
  words: Record<Language, string>
}

const at = (rule: string, words: Record<Language, string>): TranslatedRule => ({ rule, words })

export const TRANSLATED_RULES: readonly TranslatedRule[] = [
  at('FREQ=DAILY', { 'en-GB': 'every day', 'en-US': 'every day', de: 'jeden Tag', fr: 'tous les jours' }),
  at('FREQ=DAILY;INTERVAL=2', {
    'en-GB': 'every second day',
    'en-US': 'every second day',
    de: 'jeden zweiten Tag',
    fr: 'tous les deux jours',
  }),
  at('FREQ=DAILY;INTERVAL=10;COUNT=5', {
    'en-GB': 'every 10 days, 5 times',
    'en-US': 'every 10 days, 5 times',
    de: 'alle 10 Tage, 5-mal',
    fr: 'tous les 10 jours, 5 fois',
  }),
  at('FREQ=WEEKLY', { 'en-GB': 'every week', 'en-US': 'every week', de: 'jede Woche', fr: 'toutes les semaines' }),
  at('FREQ=WEEKLY;INTERVAL=2', {
    'en-GB': 'every second week',
    'en-US': 'every second week',
    de: 'jede zweite Woche',
    fr: 'toutes les deux semaines',
  }),
  at('FREQ=WEEKLY;BYDAY=TU', {
    'en-GB': 'every Tuesday',
    'en-US': 'every Tuesday',
    de: 'jeden Dienstag',
    fr: 'tous les mardis',
  }),
  at('FREQ=WEEKLY;BYDAY=WE,SU', {
    'en-GB': 'every Wednesday and Sunday',
    'en-US': 'every Wednesday and Sunday',
    de: 'jeden Mittwoch und Sonntag',
    fr: 'tous les mercredis et dimanches',
  }),
  at('FREQ=WEEKLY;BYDAY=MO,TH,SA', {
    'en-GB': 'every Monday, Thursday and Saturday',
    'en-US': 'every Monday, Thursday, and Saturday',
    de: 'jeden Montag, Donnerstag und Samstag',
    fr: 'tous les lundis, jeudis et samedis',
  }),
  at('FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', {
    'en-GB': 'every weekday',
    'en-US': 'every weekday',
    de: 'jeden Werktag (Montag bis Freitag)',
    fr: 'tous les jours du lundi au vendredi',
  }),
  at('FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270630', {
    'en-GB': 'every second Tuesday until 30 June 2027',
    'en-US': 'every second Tuesday until June 30, 2027',
    de: 'jeden zweiten Dienstag bis 30. Juni 2027',
    fr: 'un mardi sur deux jusqu’au 30 juin 2027',
  }),
  at('FREQ=WEEKLY;INTERVAL=2;BYDAY=SA', {
    'en-GB': 'every second Saturday',
    'en-US': 'every second Saturday',
    de: 'jeden zweiten Samstag',
    fr: 'un samedi sur deux',
  }),
  at('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR', {
    'en-GB': 'every second week on Monday and Friday',
    'en-US': 'every second week on Monday and Friday',
    de: 'jede zweite Woche am Montag und Freitag',
    fr: 'toutes les deux semaines le lundi et le vendredi',
  }),
  at('FREQ=WEEKLY;INTERVAL=3;BYDAY=WE', {
    'en-GB': 'every 3 weeks on Wednesday',
    'en-US': 'every 3 weeks on Wednesday',
    de: 'alle 3 Wochen am Mittwoch',
    fr: 'toutes les 3 semaines le mercredi',
  }),
  at('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR', {
    'en-GB': 'every second week on Monday to Friday',
    'en-US': 'every second week, Monday through Friday',
    de: 'jede zweite Woche von Montag bis Freitag',
    fr: 'toutes les deux semaines du lundi au vendredi',
  }),
  at('FREQ=MONTHLY', { 'en-GB': 'every month', 'en-US': 'every month', de: 'jeden Monat', fr: 'tous les mois' }),
  at('FREQ=MONTHLY;INTERVAL=5;COUNT=2', {
    'en-GB': 'every 5 months, 2 times',
    'en-US': 'every 5 months, 2 times',
    de: 'alle 5 Monate, 2-mal',
    fr: 'tous les 5 mois, 2 fois',
  }),
  at('FREQ=MONTHLY;BYMONTHDAY=1,22', {
    'en-GB': 'every month on the 1st and the 22nd',
    'en-US': 'every month on the 1st and the 22nd',
    de: 'jeden Monat am 1. und am 22.',
    fr: 'le 1er et le 22 de chaque mois',
  }),
  at('FREQ=MONTHLY;BYMONTHDAY=-1', {
    'en-GB': 'every month on the last day',
    'en-US': 'every month on the last day',
    de: 'jeden Monat am letzten Tag',
    fr: 'le dernier jour de chaque mois',
  }),
  at('FREQ=MONTHLY;BYDAY=2TU', {
    'en-GB': 'every month on the second Tuesday',
    'en-US': 'every month on the second Tuesday',
    de: 'jeden Monat am zweiten Dienstag',
    fr: 'le deuxième mardi de chaque mois',
  }),
  at('FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR', {
    'en-GB': 'every 3 months on the last Friday',
    'en-US': 'every 3 months on the last Friday',
    de: 'alle 3 Monate am letzten Freitag',
    fr: 'tous les 3 mois le dernier vendredi',
  }),
  at('FREQ=MONTHLY;BYDAY=1WE,3WE', {
    'en-GB': 'every month on the first Wednesday and the third Wednesday',
    'en-US': 'every month on the first Wednesday and the third Wednesday',
    de: 'jeden Monat am ersten Mittwoch und am dritten Mittwoch',
    fr: 'le premier mercredi et le troisième mercredi de chaque mois',
  }),
  at('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', {
    'en-GB': 'every month on the last weekday',
    'en-US': 'every month on the last weekday',
    de: 'jeden Monat am letzten Werktag',
    fr: 'le dernier jour de semaine de chaque mois',
  }),
  at('FREQ=YEARLY', { 'en-GB': 'every year', 'en-US': 'every year', de: 'jedes Jahr', fr: 'tous les ans' }),
  at('FREQ=YEARLY;INTERVAL=2;BYMONTH=7;BYMONTHDAY=14', {
    'en-GB': 'every second year on 14 July',
    'en-US': 'every second year on July 14',
    de: 'jedes zweite Jahr am 14. Juli',
    fr: 'tous les deux ans le 14 juillet',
  }),
  at('FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO', {
    'en-GB': 'every year on the last Monday of May',
    'en-US': 'every year on the last Monday of May',
    de: 'jedes Jahr am letzten Montag im Mai',
    fr: 'tous les ans le dernier lundi de mai',
  }),
  at('FREQ=YEARLY;INTERVAL=4;BYMONTH=5', {
    'en-GB': 'every 4 years in May',
    'en-US': 'every 4 years in May',
    de: 'alle 4 Jahre im Mai',
    fr: 'tous les 4 ans en mai',
  }),
  at('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1;COUNT=1', {
    'en-GB': 'every year on the last day of February, once',
    'en-US': 'every year on the last day of February, once',
    de: 'jedes Jahr am letzten Tag im Februar, einmal',
    fr: 'tous les ans le dernier jour de février, une fois',
  }),
  at('FREQ=HOURLY', {
    'en-GB': 'custom repetition',
    'en-US': 'custom repetition',
    de: 'eigene Wiederholung',
    fr: 'selon une règle personnalisée',
  }),
  at('FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=1;UNTIL=20300401', {
    'en-GB': 'every year on 1 April until 1 April 2030',
    'en-US': 'every year on April 1 until April 1, 2030',
    de: 'jedes Jahr am 1. April bis 1. April 2030',
    fr: 'tous les ans le 1er avril jusqu’au 1er avril 2030',
  }),
  at('FREQ=YEARLY;BYMONTH=10;BYDAY=1SU', {
    'en-GB': 'every year on the first Sunday of October',
    'en-US': 'every year on the first Sunday of October',
    de: 'jedes Jahr am ersten Sonntag im Oktober',
    fr: 'tous les ans le premier dimanche d’octobre',
  }),
  at('FREQ=YEARLY;BYMONTH=8;BYMONTHDAY=1,15', {
    'en-GB': 'every year on the 1st and the 15th of August',
    'en-US': 'every year on the 1st and the 15th of August',
    de: 'jedes Jahr am 1. und am 15. im August',
    fr: 'tous les ans le 1er et le 15 août',
  }),
  at('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR,SA,SU', {
    'en-GB': 'every second week on every day',
    'en-US': 'every second week on every day',
    de: 'jede zweite Woche an jedem Tag',
    fr: 'toutes les deux semaines, chaque jour de la semaine',
  }),
]
