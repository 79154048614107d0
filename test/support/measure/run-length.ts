// Short and long forms of statistical and soak tests: `npm test` runs the short ones, `npm run test:long` the long ones.

const isLong = process.env.TEST_LONG === '1'

/** Both forms check the same behaviour; the long one looks at more cases. */
export const byRunLength = <T>(short: T, long: T): T => (isLong ? long : short)
