// The environment of the process, besides the settings that config.ts reads from it.

export const environmentName = (setting: string): string => `DAYBOOK_${setting.toUpperCase()}`

export const currentEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env })

/** The environment without this one setting. */
export const environmentWithout = (setting: string): NodeJS.ProcessEnv => ({
  ...process.env,
  [environmentName(setting)]: undefined,
})

/** That of a command that works on the database of this service, whatever daybook.json says by then. */
export const environmentFor = (dataDir: string, databaseUrl: string): NodeJS.ProcessEnv => ({
  ...process.env,
  [environmentName('data_dir')]: dataDir,
  [environmentName('database_url')]: databaseUrl,
})

/** A variable that is no setting, such as those of systemd. */
export const readVariable = (name: string): string | undefined => process.env[name]
