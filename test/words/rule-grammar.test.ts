// Recurrence rules whose words change with the day, month or number in one language only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '../../src/domain/languages.ts'
import { ruleInWords } from '../../src/words/rule-in-words.ts'
import { wordsFor } from '../../src/words/words.ts'

const GRAMMAR: Partial<Record<Language, readonly (readonly [rule: string, words: string])[]>> = {
  cy: [
    ['FREQ=DAILY;INTERVAL=3', 'bob 3 diwrnod'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH', 'bob 2 wythnos ar ddydd Mawrth a dydd Iau'],
    ['FREQ=MONTHLY;INTERVAL=2;COUNT=3', 'bob 2 fis, teirgwaith'],
    ['FREQ=MONTHLY;BYMONTHDAY=3', 'y 3ydd o bob mis'],
    ['FREQ=MONTHLY;BYMONTHDAY=8,11,31', 'yr 8fed, yr 11eg a’r 31ain o bob mis'],
    ['FREQ=MONTHLY;INTERVAL=6;BYMONTHDAY=16,18', 'bob 6 mis ar yr 16eg a’r 18fed'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=2', 'yr ail ddiwrnod gwaith o bob mis'],
    ['FREQ=MONTHLY;BYDAY=4TH', 'y pedwerydd dydd Iau o bob mis'],
    ['FREQ=YEARLY;INTERVAL=3', 'bob 3 blynedd'],
    ['FREQ=YEARLY;INTERVAL=5;BYMONTH=1', 'bob 5 mlynedd ym mis Ionawr'],
    ['FREQ=YEARLY;INTERVAL=6', 'bob 6 blynedd'],
  ],
  pl: [
    ['FREQ=WEEKLY;BYDAY=SU', 'w każdą niedzielę'],
    ['FREQ=WEEKLY;BYDAY=TU,TH', 'we wtorki i czwartki'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH', 'co 2 tygodnie we wtorek i czwartek'],
    ['FREQ=WEEKLY;INTERVAL=5;BYDAY=TH', 'co 5 tygodni w czwartek'],
    ['FREQ=MONTHLY;INTERVAL=12', 'co 12 miesięcy'],
    ['FREQ=MONTHLY;INTERVAL=22', 'co 22 miesiące'],
    ['FREQ=MONTHLY;BYDAY=5SA', 'w piątą sobotę każdego miesiąca'],
    ['FREQ=MONTHLY;INTERVAL=2;BYDAY=-1SU', 'co 2 miesiące w ostatnią niedzielę'],
    ['FREQ=YEARLY;INTERVAL=5;BYMONTH=9', 'co 5 lat we wrześniu'],
    ['FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=1;COUNT=22', 'co roku 1 października, 22 razy'],
  ],
}

for (const [language, rules] of Object.entries(GRAMMAR))
  test(`rules in words, forms of ${language}`, () => {
    const { rule: words } = wordsFor(language as Language)
    for (const [rule, expected] of rules) assert.equal(ruleInWords(rule, words), expected, rule)
  })
