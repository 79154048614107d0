// Short and long forms of statistical and soak tests, for `npm test` and `npm run test:long`.

const isLong = process.env.TEST_LONG === '1'

/** Both forms check the same behaviour; the long one tries more cases. */
export const byRunLength = <T>(short: T, long: T): T => (isLong ? long : short)
