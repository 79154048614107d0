// Entry of the build: repetition rules in words, loaded for readers of whole events and not for the public.
export { ruleInWords } from '../words/rules.ts'
