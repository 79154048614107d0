// Repetition rules in the language in use; apart from dates and times, since public lists include no rule.
import * as rules from '../../src/words/rule-in-words.ts'
import * as words from '../strings.ts'

export const ruleInWords = (rrule: string, zone?: string): string => rules.ruleInWords(rrule, words.rule, zone)
