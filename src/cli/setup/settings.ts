// The settings `daybook setup` asks for: what is asked, in which order, and whether an answer will do.
import { type Config, ConfigError, environmentWithout, loadConfig } from '../../config.ts'
import { tryServer } from '../../storage/engine/open.ts'
import type { Flags } from '../command.ts'
import { concealPassword } from '../conceal.ts'
import { explainOpening } from '../explain.ts'
import type { Prompt } from '../prompt.ts'

/** What daybook.json holds. */
export type Answers = Record<string, unknown>

interface SettingQuestion {
  setting: string
  question: string
  /** Where nothing is known yet. */
  suggestion?: unknown
  isAbout?: 'mail'
  isAsked?: (answers: Answers) => boolean
  /** Says nothing where it is not asked, so that it cannot be forgotten there. */
  isMootUnasked?: boolean
  /** More than the shape: whether it works. */
  check?: (config: Config) => Promise<void>
}

const hasMailServer = ({ smtp_url }: Answers): boolean => Boolean(smtp_url)

const QUESTIONS: readonly SettingQuestion[] = [
  { setting: 'site_name', question: 'Name of the calendar', suggestion: 'Daybook' },
  { setting: 'timezone', question: 'Time zone', suggestion: machineZone() },
  { setting: 'public_url', question: 'Public address, https://… (empty while you try it out)' },
  { setting: 'url_slug', question: 'Path in front of everything (usually empty)' },
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
    question: 'Encrypt the way to the mail server, on or off',
    suggestion: 'on',
    isAbout: 'mail',
    isAsked: ({ smtp_url }) => /^smtp:/i.test(String(smtp_url ?? '')),
    isMootUnasked: true,
  },
  {
    setting: 'mail_from',
    question: 'Sender of mails (empty for daybook@ the public address)',
    isAbout: 'mail',
    isAsked: hasMailServer,
  },
]

export const flagOf = (setting: string): string => setting.replaceAll('_', '-')

export const SETTING_FLAGS = Object.fromEntries(
  QUESTIONS.map(({ setting }) => [flagOf(setting), { type: 'string' as const }]),
)

/** Where the machine stands, unless it stands nowhere in particular. */
function machineZone(): string {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return /^(?:Etc\/|UTC|GMT)/.test(zone) ? 'Europe/London' : zone
}

export interface SetupDialog {
  flags: Flags
  /** Undefined when nothing is to be asked and the defaults will do. */
  prompt: Prompt | undefined
}

/** Answers on top of what is known already; each is checked as soon as it is given. What is in force is suggested. */
export async function askSettings(known: Answers, asking: SetupDialog, inForce: Answers = {}): Promise<Answers> {
  requireOthers(known)
  let answers = known
  for (const question of QUESTIONS) {
    const suggestion = inForce[question.setting] ?? question.suggestion
    answers = await answer({ ...question, suggestion }, answers, asking)
  }
  return answers
}

/** Once more, after a mail could not be sent; flags have had their turn. */
export async function askMailSettings(known: Answers, prompt: Prompt): Promise<Answers> {
  let answers = known
  for (const question of QUESTIONS.filter(({ isAbout }) => isAbout === 'mail'))
    answers = await answer(question, answers, { flags: {}, prompt })
  return answers
}

/** What would be the settings with these answers; a problem is thrown. */
export const configOf = (answers: Answers): Config => loadConfig(undefined, undefined, answers)

/** Something broken that nobody will be asked about is said before the first question. */
function requireOthers(known: Answers): void {
  const asked = QUESTIONS.map(({ setting }) => setting)
  configOf(Object.fromEntries(Object.entries(known).filter(([name]) => !asked.includes(name))))
}

async function answer(question: SettingQuestion, answers: Answers, { flags, prompt }: SetupDialog): Promise<Answers> {
  const { setting, suggestion = '', isAsked = () => true } = question
  const given = flags[flagOf(setting)]
  const current = String(answers[setting] ?? suggestion)
  const isGiven = typeof given === 'string'
  if (!isGiven && !isAsked(answers)) return question.isMootUnasked ? withAnswer(answers, setting, '') : answers
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
    prompt.say(`That will not do: ${problem}.`)
  }
}

function withAnswer(answers: Answers, setting: string, value: string): Answers {
  const { [setting]: _, ...others } = answers
  return value === '' ? others : { ...answers, [setting]: value }
}

/** Only what this answer is to blame for, also where the environment would hide it. */
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
