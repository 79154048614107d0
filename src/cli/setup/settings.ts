// Settings of `daybook setup`: the questions, their order, and how answers are validated.
import { type Config, ConfigError, loadConfig } from '../../config.ts'
import { environmentWithout } from '../../environment.ts'
import { tryServer } from '../../storage/engine/open.ts'
import type { Flags } from '../command.ts'
import { concealPassword } from '../conceal.ts'
import { explainOpening } from '../explain.ts'
import type { Prompt } from '../prompt.ts'

/** The content of daybook.json. */
export type Answers = Record<string, unknown>

interface SettingQuestion {
  setting: string
  question: string
  /** Default if nothing is known yet. */
  suggestion?: unknown
  isAbout?: 'mail'
  isAsked?: (answers: Answers) => boolean
  /** Without effect if it is not asked, so it is removed then and cannot be left behind. */
  isRemovedUnasked?: boolean
  /** Checks beyond the format: whether it works. */
  check?: (config: Config) => Promise<void>
}

const hasMailServer = ({ smtp_url }: Answers): boolean => Boolean(smtp_url)

const QUESTIONS: readonly SettingQuestion[] = [
  { setting: 'site_name', question: 'Name of the calendar', suggestion: 'Daybook' },
  { setting: 'timezone', question: 'Time zone', suggestion: machineZone() },
  { setting: 'public_url', question: 'Public address, https://… (empty while you try it out)' },
  { setting: 'url_slug', question: 'Path prefix of all addresses (usually empty)' },
  {
    setting: 'database_url',
    question: 'PostgreSQL address, postgres://… (empty for a SQLite file)',
    check: (config) => tryServer(config).catch((error) => Promise.reject(explainOpening(error, config))),
  },
  {
    setting: 'smtp_url',
    question: 'Mail server, smtp://… (empty to have mails written to files)',
    isAbout: 'mail',
  },
  {
    setting: 'smtp_tls',
    question: 'Encrypt the connection to the mail server, on or off',
    suggestion: 'on',
    isAbout: 'mail',
    isAsked: ({ smtp_url }) => /^smtp:/i.test(String(smtp_url ?? '')),
    isRemovedUnasked: true,
  },
  {
    setting: 'mail_from',
    question: 'Sender address of mails (empty for daybook@ your public host)',
    isAbout: 'mail',
    isAsked: hasMailServer,
  },
]

export const flagOf = (setting: string): string => setting.replaceAll('_', '-')

export const SETTING_FLAGS = Object.fromEntries(
  QUESTIONS.map(({ setting }) => [flagOf(setting), { type: 'string' as const }]),
)

/** The machine's time zone, unless it is a generic one such as UTC. */
function machineZone(): string {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return /^(?:Etc\/|UTC|GMT)/.test(zone) ? 'Europe/London' : zone
}

export interface SetupDialog {
  flags: Flags
  /** Undefined when nothing may be asked and the defaults apply. */
  prompt: Prompt | undefined
}

/** Answers on top of the known settings; each is checked at once. Settings in force are suggested. */
export async function askSettings(known: Answers, dialog: SetupDialog, inForce: Answers = {}): Promise<Answers> {
  requireOthers(known)
  let answers = known
  for (const question of QUESTIONS) {
    const suggestion = inForce[question.setting] ?? question.suggestion
    answers = await answer({ ...question, suggestion }, answers, dialog)
  }
  return answers
}

/** Asks again after a mail could not be sent; flags were already used. */
export async function askMailSettings(known: Answers, prompt: Prompt): Promise<Answers> {
  let answers = known
  for (const question of QUESTIONS.filter(({ isAbout }) => isAbout === 'mail'))
    answers = await answer(question, answers, { flags: {}, prompt })
  return answers
}

/** The settings with these answers; a problem is thrown. */
export const configOf = (answers: Answers): Config => loadConfig(undefined, undefined, answers)

/** Reports an invalid setting that is not asked for, before the first question. */
function requireOthers(known: Answers): void {
  const asked = QUESTIONS.map(({ setting }) => setting)
  configOf(Object.fromEntries(Object.entries(known).filter(([name]) => !asked.includes(name))))
}

async function answer(question: SettingQuestion, answers: Answers, { flags, prompt }: SetupDialog): Promise<Answers> {
  const { setting, suggestion = '', isAsked = () => true } = question
  const given = flags[flagOf(setting)]
  const current = String(answers[setting] ?? suggestion)
  const isGiven = typeof given === 'string'
  if (!isGiven && !isAsked(answers)) return question.isRemovedUnasked ? withAnswer(answers, setting, '') : answers
  if (isGiven || !prompt) {
    const next = withAnswer(answers, setting, isGiven ? given : current)
    const problem = await problemOf(question, next)
    if (problem) throw new Error(`${isGiven ? `--${flagOf(setting)}` : setting}: ${problem}`)
    return next
  }
  for (;;) {
    const typed = await prompt.ask(`${question.question}${current ? ` [${concealPassword(current)}]` : ''}: `)
    const next = withAnswer(answers, setting, typed === '' ? current : typed === '-' ? '' : typed)
    const problem = await problemOf(question, next)
    if (!problem) return next
    if (!prompt.isTerminal) throw new Error(`${setting}: ${problem}`)
    prompt.say(`Not valid: ${problem}.`)
  }
}

function withAnswer(answers: Answers, setting: string, value: string): Answers {
  const { [setting]: _, ...others } = answers
  return value === '' ? others : { ...answers, [setting]: value }
}

/** Only the problem of this answer, even if the environment overrides the setting. */
async function problemOf({ setting, check }: SettingQuestion, answers: Answers): Promise<string | undefined> {
  try {
    const config = loadConfig(environmentWithout(setting), undefined, answers)
    await check?.(config)
    return undefined
  } catch (error) {
    const { message } = error as Error
    if (!(error instanceof ConfigError)) return message
    const own = `daybook.json "${setting}": `
    return message.startsWith(own) ? message.slice(own.length) : undefined
  }
}
