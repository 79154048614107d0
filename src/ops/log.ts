// Logger: one line of JSON per event to standard error; never a title, address, token or user text.

export type LogLevel = 'error' | 'warn' | 'info' | 'silent'
export type LogFields = Record<string, string | number | boolean | null | undefined>

export interface Log {
  error(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
}

const ORDER: LogLevel[] = ['silent', 'error', 'warn', 'info']

export function createLog(level: LogLevel, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const logAt =
    (wanted: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (ORDER.indexOf(wanted) > ORDER.indexOf(level)) return
      write(`${JSON.stringify({ at: new Date().toISOString(), level: wanted, message, ...fields })}\n`)
    }
  return { error: logAt('error'), warn: logAt('warn'), info: logAt('info') }
}
