// Recurrence rules and how each language says them.
import type { Language } from '../../src/domain/languages.ts'

/** The words of one rule in every language. */
export interface TranslatedRule {
  rule: string
  words: Record<Language, string>
}

const at = (rule: string, words: Record<Language, string>): TranslatedRule => ({ rule, words })

export const TRANSLATED_RULES: readonly TranslatedRule[] = [
  at('FREQ=DAILY', { 'en-GB': 'every day', 'en-US': 'every day', de: 'jeden Tag', cy: 'bob dydd', pl: 'codziennie' }),
  at('FREQ=DAILY;INTERVAL=2', {
    'en-GB': 'every second day',
    'en-US': 'every second day',
    de: 'jeden zweiten Tag',
    cy: 'bob 2 ddiwrnod',
    pl: 'co 2 dni',
  }),
  at('FREQ=DAILY;INTERVAL=10;COUNT=5', {
    'en-GB': 'every 10 days, 5 times',
    'en-US': 'every 10 days, 5 times',
    de: 'alle 10 Tage, 5-mal',
    cy: 'bob 10 diwrnod, 5 gwaith',
    pl: 'co 10 dni, 5 razy',
  }),
  at('FREQ=WEEKLY', {
    'en-GB': 'every week',
    'en-US': 'every week',
    de: 'jede Woche',
    cy: 'bob wythnos',
    pl: 'co tydzień',
  }),
  at('FREQ=WEEKLY;INTERVAL=2', {
    'en-GB': 'every second week',
    'en-US': 'every second week',
    de: 'jede zweite Woche',
    cy: 'bob 2 wythnos',
    pl: 'co 2 tygodnie',
  }),
  at('FREQ=WEEKLY;BYDAY=TU', {
    'en-GB': 'every Tuesday',
    'en-US': 'every Tuesday',
    de: 'jeden Dienstag',
    cy: 'bob dydd Mawrth',
    pl: 'w każdy wtorek',
  }),
  at('FREQ=WEEKLY;BYDAY=WE,SU', {
    'en-GB': 'every Wednesday and Sunday',
    'en-US': 'every Wednesday and Sunday',
    de: 'jeden Mittwoch und Sonntag',
    cy: 'bob dydd Mercher a dydd Sul',
    pl: 'w środy i niedziele',
  }),
  at('FREQ=WEEKLY;BYDAY=MO,TH,SA', {
    'en-GB': 'every Monday, Thursday and Saturday',
    'en-US': 'every Monday, Thursday, and Saturday',
    de: 'jeden Montag, Donnerstag und Samstag',
    cy: 'bob dydd Llun, dydd Iau a dydd Sadwrn',
    pl: 'w poniedziałki, czwartki i soboty',
  }),
  at('FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', {
    'en-GB': 'every weekday',
    'en-US': 'every weekday',
    de: 'jeden Werktag (Montag bis Freitag)',
    cy: 'bob diwrnod gwaith (dydd Llun i ddydd Gwener)',
    pl: 'w dni robocze (od poniedziałku do piątku)',
  }),
  at('FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270630', {
    'en-GB': 'every second Tuesday until 30 June 2027',
    'en-US': 'every second Tuesday until June 30, 2027',
    de: 'jeden zweiten Dienstag bis 30. Juni 2027',
    cy: 'bob yn ail ddydd Mawrth tan 30 Mehefin 2027',
    pl: 'co drugi wtorek do 30 czerwca 2027',
  }),
  at('FREQ=WEEKLY;INTERVAL=2;BYDAY=SA', {
    'en-GB': 'every second Saturday',
    'en-US': 'every second Saturday',
    de: 'jeden zweiten Samstag',
    cy: 'bob yn ail ddydd Sadwrn',
    pl: 'co drugą sobotę',
  }),
  at('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR', {
    'en-GB': 'every second week on Monday and Friday',
    'en-US': 'every second week on Monday and Friday',
    de: 'jede zweite Woche am Montag und Freitag',
    cy: 'bob 2 wythnos ar ddydd Llun a dydd Gwener',
    pl: 'co 2 tygodnie w poniedziałek i piątek',
  }),
  at('FREQ=WEEKLY;INTERVAL=3;BYDAY=WE', {
    'en-GB': 'every 3 weeks on Wednesday',
    'en-US': 'every 3 weeks on Wednesday',
    de: 'alle 3 Wochen am Mittwoch',
    cy: 'bob 3 wythnos ar ddydd Mercher',
    pl: 'co 3 tygodnie w środę',
  }),
  at('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR', {
    'en-GB': 'every second week on Monday to Friday',
    'en-US': 'every second week, Monday through Friday',
    de: 'jede zweite Woche von Montag bis Freitag',
    cy: 'bob 2 wythnos o ddydd Llun i ddydd Gwener',
    pl: 'co 2 tygodnie od poniedziałku do piątku',
  }),
  at('FREQ=MONTHLY', {
    'en-GB': 'every month',
    'en-US': 'every month',
    de: 'jeden Monat',
    cy: 'bob mis',
    pl: 'co miesiąc',
  }),
  at('FREQ=MONTHLY;INTERVAL=5;COUNT=2', {
    'en-GB': 'every 5 months, 2 times',
    'en-US': 'every 5 months, 2 times',
    de: 'alle 5 Monate, 2-mal',
    cy: 'bob 5 mis, dwywaith',
    pl: 'co 5 miesięcy, 2 razy',
  }),
  at('FREQ=MONTHLY;BYMONTHDAY=1,22', {
    'en-GB': 'every month on the 1st and the 22nd',
    'en-US': 'every month on the 1st and the 22nd',
    de: 'jeden Monat am 1. und am 22.',
    cy: 'y 1af a’r 22ain o bob mis',
    pl: '1. dnia i 22. dnia każdego miesiąca',
  }),
  at('FREQ=MONTHLY;BYMONTHDAY=-1', {
    'en-GB': 'every month on the last day',
    'en-US': 'every month on the last day',
    de: 'jeden Monat am letzten Tag',
    cy: 'y diwrnod olaf o bob mis',
    pl: 'ostatniego dnia każdego miesiąca',
  }),
  at('FREQ=MONTHLY;BYDAY=2TU', {
    'en-GB': 'every month on the second Tuesday',
    'en-US': 'every month on the second Tuesday',
    de: 'jeden Monat am zweiten Dienstag',
    cy: 'yr ail ddydd Mawrth o bob mis',
    pl: 'w drugi wtorek każdego miesiąca',
  }),
  at('FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR', {
    'en-GB': 'every 3 months on the last Friday',
    'en-US': 'every 3 months on the last Friday',
    de: 'alle 3 Monate am letzten Freitag',
    cy: 'bob 3 mis ar y dydd Gwener olaf',
    pl: 'co 3 miesiące w ostatni piątek',
  }),
  at('FREQ=MONTHLY;BYDAY=1WE,3WE', {
    'en-GB': 'every month on the first Wednesday and the third Wednesday',
    'en-US': 'every month on the first Wednesday and the third Wednesday',
    de: 'jeden Monat am ersten Mittwoch und am dritten Mittwoch',
    cy: 'y dydd Mercher cyntaf a’r trydydd dydd Mercher o bob mis',
    pl: 'w pierwszą środę i w trzecią środę każdego miesiąca',
  }),
  at('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', {
    'en-GB': 'every month on the last weekday',
    'en-US': 'every month on the last weekday',
    de: 'jeden Monat am letzten Werktag',
    cy: 'y diwrnod gwaith olaf o bob mis',
    pl: 'w ostatni dzień roboczy każdego miesiąca',
  }),
  at('FREQ=YEARLY', {
    'en-GB': 'every year',
    'en-US': 'every year',
    de: 'jedes Jahr',
    cy: 'bob blwyddyn',
    pl: 'co roku',
  }),
  at('FREQ=YEARLY;INTERVAL=2;BYMONTH=7;BYMONTHDAY=14', {
    'en-GB': 'every second year on 14 July',
    'en-US': 'every second year on July 14',
    de: 'jedes zweite Jahr am 14. Juli',
    cy: 'bob 2 flynedd ar 14 Gorffennaf',
    pl: 'co 2 lata 14 lipca',
  }),
  at('FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO', {
    'en-GB': 'every year on the last Monday of May',
    'en-US': 'every year on the last Monday of May',
    de: 'jedes Jahr am letzten Montag im Mai',
    cy: 'bob blwyddyn ar y dydd Llun olaf ym mis Mai',
    pl: 'co roku w ostatni poniedziałek maja',
  }),
  at('FREQ=YEARLY;INTERVAL=4;BYMONTH=5', {
    'en-GB': 'every 4 years in May',
    'en-US': 'every 4 years in May',
    de: 'alle 4 Jahre im Mai',
    cy: 'bob 4 blynedd ym mis Mai',
    pl: 'co 4 lata w maju',
  }),
  at('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1;COUNT=1', {
    'en-GB': 'every year on the last day of February, once',
    'en-US': 'every year on the last day of February, once',
    de: 'jedes Jahr am letzten Tag im Februar, einmal',
    cy: 'bob blwyddyn ar y diwrnod olaf ym mis Chwefror, unwaith',
    pl: 'co roku ostatniego dnia lutego, 1 raz',
  }),
  at('FREQ=HOURLY', {
    'en-GB': 'custom repetition',
    'en-US': 'custom repetition',
    de: 'eigene Wiederholung',
    cy: 'ailadrodd cyfaddas',
    pl: 'powtarzanie niestandardowe',
  }),
]
