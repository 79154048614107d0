// Captures what the service logs during a test.

export interface CapturedLog {
  text(): string
  stop(): void
}

export function captureLog(): CapturedLog {
  const { stderr } = process
  const write = stderr.write
  let text = ''
  stderr.write = ((chunk: string) => {
    text += chunk
    return true
  }) as typeof write
  return {
    text: () => text,
    stop() {
      stderr.write = write
    },
  }
}
