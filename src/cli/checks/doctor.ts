// `daybook doctor`: checks the installation and explains what to do, as text or JSON.

import { type Finding, type FindingLevel, worstOf } from '../../doctor/finding.ts'
import { examineInstallation } from '../../doctor/run-checks.ts'
import { readEmail } from '../../domain/email.ts'
import { VERSION } from '../../installation.ts'
import { type Command, UsageError, writeLine } from '../command.ts'

export const doctorCommand: Command = {
  usage: `Usage: daybook doctor [--full] [--json] [--send EMAIL]

Checks settings, files, disk, database, index, time, mail, public_url, certificate and
proxy, and says what to do about what it finds. Changes nothing, and works whether or not
the service is running. Run it as the user of the service, in the same folder.

--full    checks every page of the database and every event, not a sample
--json    prints the findings as JSON, with stable codes
--send    also sends a test mail to this address

Exits with 0 if all is well, with 1 if something is broken, with 3 for warnings only.`,
  options: { full: { type: 'boolean' }, json: { type: 'boolean' }, send: { type: 'string' } },
  async act(flags) {
    const sendTo = typeof flags.send === 'string' ? flags.send : undefined
    if (sendTo !== undefined && !readEmail(sendTo)) throw new UsageError('--send: must be an email address')
    const findings = await examineInstallation({ isFull: flags.full === true, sendTo })
    const level = worstOf(findings)
    if (flags.json) writeLine(JSON.stringify({ version: VERSION, level, findings }, undefined, 2))
    else printFindings(findings, level)
    process.exitCode = EXIT_CODES[level]
  },
}

const EXIT_CODES: Record<FindingLevel, number> = { ok: 0, warning: 3, problem: 1 }

const MARKS: Record<FindingLevel, string> = { ok: 'ok      ', warning: 'warning ', problem: 'problem ' }

function printFindings(findings: readonly Finding[], level: FindingLevel): void {
  for (const [area, some] of Map.groupBy(findings, (one) => one.area)) {
    writeLine(area)
    for (const { level: mark, code, message, path, advice } of some) {
      writeLine(`  ${MARKS[mark]} ${message}${path ? `: ${path}` : ''}${mark === 'ok' ? '' : ` [${code}]`}`)
      if (advice) writeLine(`           ${advice}`)
    }
  }
  writeLine(`\n${SUMMARIES[level](findings)}`)
}

const countOf = (findings: readonly Finding[], level: FindingLevel): string => {
  const { length } = findings.filter((one) => one.level === level)
  return `${length} ${level}${length === 1 ? '' : 's'}`
}

const SUMMARIES: Record<FindingLevel, (findings: readonly Finding[]) => string> = {
  ok: () => 'All is well.',
  warning: (findings) => `${countOf(findings, 'warning')}.`,
  problem: (findings) => `${countOf(findings, 'problem')}, ${countOf(findings, 'warning')}.`,
}
