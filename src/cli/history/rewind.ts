// `daybook rewind`: makes the calendar what it was at a moment, or says what that would change.
import { type RewindSummary, type RewoundEvent, rewindableSince, rewindCalendar } from '../../actions/history/rewind.ts'
import type { Context } from '../../context.ts'
import { OPERATOR } from '../../domain/privacy/viewer.ts'
import { formatInstant } from '../../domain/time/text.ts'
import { requireZone } from '../../domain/time/zone.ts'
import { AppError } from '../../errors.ts'
import { type Command, UsageError, writeLine } from '../command.ts'
import { withCalendar } from '../with-context.ts'

export const rewindCommand: Command = {
  usage: `Usage: daybook rewind --to MOMENT [--by EMAIL] [--dry-run] [--quiet]

Makes the calendar what it was at a moment, such as 2026-11-16T14:00, in the zone of the
calendar unless it has an offset. Events created since go to the trash, events changed
since get their text of then, and events deleted since come back. Programs synchronise
these as ordinary changes, and a rewind to the moment before undoes it. Works while the
service is running. Reaches back as far as both history_days and trash_days allow.

  --to MOMENT   the moment
  --by EMAIL    undo only the changes of this account; an event that was changed later by
                another one is left as it is
  --dry-run     show what would happen, and change nothing
  --quiet       print only the summary, and the events that are left as they are`,
  options: {
    to: { type: 'string' },
    by: { type: 'string' },
    'dry-run': { type: 'boolean' },
    quiet: { type: 'boolean' },
  },
  async act({ to, by, 'dry-run': dryRun, quiet }) {
    if (typeof to !== 'string') throw new UsageError('--to is required')
    const request = { to, by: typeof by === 'string' ? by : undefined }
    const isDryRun = dryRun === true
    const onEntry = (entry: RewoundEvent): void => {
      if (quiet !== true || entry.result === 'skipped') writeLine(lineOf(entry))
    }
    await withCalendar(async (ctx) => {
      const options = { isDryRun, onEntry, maxListed: 0 }
      const report = await rewindCalendar(ctx, OPERATOR, request, options).catch((error) =>
        Promise.reject(explainRequest(ctx, error)),
      )
      writeLine(summaryOf(ctx, report))
    })
  },
}

const REASONS: Record<NonNullable<RewoundEvent['reason']>, string> = {
  changed_later: 'changed later by another account',
  changed_meanwhile: 'changed during the rewind',
  not_kept: 'its text of then is not kept',
  uid_conflict: 'another event has its UID',
  not_stored: 'it could not be stored',
}

const lineOf = ({ id, title, result, reason, becomesPublic }: RewoundEvent): string =>
  `${result.padEnd(8)}  ${id}  ${printable(title)}${reason ? `: ${REASONS[reason]}` : becomesPublic ? ' (public again)' : ''}`

/** The title of an event must not control the terminal. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')

function summaryOf({ config }: Context, report: RewindSummary): string {
  const zone = requireZone(config.timezone)
  const { isDryRun, deleted, changed, restored, skipped, published, undoTo } = report
  const counts = `${deleted} deleted, ${changed} changed, ${restored} restored, ${skipped} skipped.`
  const head = isDryRun ? `Nothing was changed. A rewind to ${formatInstant(report.to, zone)} would be: ` : ''
  const publicAgain =
    published > 0 ? `\nPrivate events that ${isDryRun ? 'would be' : 'are'} public again: ${published}.` : ''
  const undo = undoTo === undefined ? '' : `\nTo undo it: daybook rewind --to ${new Date(undoTo).toISOString()}`
  return `${head}${counts}${publicAgain}${undo}`
}

function explainRequest(ctx: Context, error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  if (error.code === 'rewind_too_early') {
    const since = formatInstant(rewindableSince(ctx), requireZone(ctx.config.timezone))
    return new Error(`what the calendar was then is not kept any more: the earliest moment is ${since}`)
  }
  if (error.code === 'user_not_found') return new Error('there is no account with this email address')
  const [problem] = (error.details?.fields ?? []) as { field: string; code: string }[]
  if (problem?.field === '/by') return new UsageError('--by is not an email address')
  if (problem?.field !== '/to') return error
  return new UsageError(
    problem.code === 'not_allowed' ? '--to is in the future' : '--to is not a moment, such as 2026-11-16T14:00',
  )
}
