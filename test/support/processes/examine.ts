// Runs `daybook doctor --json` and reads its findings.
import type { Finding, FindingCode } from '../../../src/doctor/finding.ts'
import type { EmptyDatabase } from '../storage/engines.ts'
import { runLoadedCommand } from './loaded-command.ts'

export interface Examination {
  code: number | null
  level: string
  findings: Finding[]
  /** Everything that was printed. */
  text: string
  find(code: FindingCode): Finding | undefined
}

export async function examine(
  { folder, settings }: EmptyDatabase,
  more: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<Examination> {
  const result = await runLoadedCommand(['doctor', '--json', ...args], folder, { ...settings, ...more })
  if (result.stderr) throw new Error(result.stderr)
  const { level, findings } = JSON.parse(result.stdout) as Pick<Examination, 'level' | 'findings'>
  const find = (code: FindingCode): Finding | undefined => findings.find((finding) => finding.code === code)
  return { code: result.code, level, findings, text: result.stdout, find }
}

/** Codes of what is not well. */
export const codesOf = ({ findings }: Pick<Examination, 'findings'>): FindingCode[] =>
  findings.filter(({ level }) => level !== 'ok').map(({ code }) => code)
