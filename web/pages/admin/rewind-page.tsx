// Rewind page for administrators: a preview of what changes, then the rewind, and how to undo it.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { RewindReport } from '../../api/contract.ts'
import { showChanges } from '../../app/last-calendar-view.ts'
import { useRoute } from '../../app/router.tsx'
import { call } from '../../app/session.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { explain, hasFields, problemOf, requireFilled } from '../../ui/explain.ts'
import { TextField } from '../../ui/field.tsx'
import { useSubmission } from '../../ui/form.tsx'
import { fieldValue } from '../../ui/local-minute.ts'
import { Notice } from '../../ui/notice.tsx'
import { Question, useQuestion } from '../../ui/question.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { AdminPage } from './admin-page.tsx'

const text = words.admin.rewindPage

export default function RewindPage(): JSX.Element {
  return <AdminPage title={words.admin.rewind} content={RewindOfAddress} />
}

/** A link may name the moment and the id of an account; another link begins anew. */
function RewindOfAddress(): JSX.Element {
  const { query } = useRoute()
  if (!site.keeps_trash || !site.keeps_history) return <Notice kind="plain">{text.notKept}</Notice>
  return <Rewind key={query.toString()} moment={query.get('to') ?? ''} account={query.get('account')} />
}

/** With the request it is the answer to. */
interface RewindResult {
  report: RewindReport
  moment: string
  person: string
  /** The preview that a link opened: it asks at once. */
  isOfLink: boolean
}

interface RewindProps {
  moment: string
  account: string | null
}

function Rewind({ moment: linkedMoment, account }: RewindProps): JSX.Element {
  const [to, setTo] = useState(linkedMoment)
  const [by, setBy] = useState('')
  const [result, setResult] = useState<RewindResult>()
  const { isBusy, error, run } = useSubmission()
  const rewind = async (moment: string, person: string, isDryRun: boolean, isOfLink = false): Promise<void> => {
    requireFilled({ to: moment })
    const body = { to: moment, dry_run: isDryRun, ...(person.trim() ? { by: person.trim() } : {}) }
    const { data } = await call('rewindCalendar', { body })
    setResult({ report: data, moment, person, isOfLink })
    if (!isDryRun) showChanges()
  }
  const send = (moment: string, person: string, isDryRun: boolean) => run(() => rewind(moment, person, isDryRun))
  useEffect(() => {
    if (linkedMoment === '') return
    void run(async () => {
      // Without the account the preview would be of the changes of all.
      const person = account === null ? '' : (await call('getUser', { path: { user_id: account } })).data.email
      setBy(person)
      await rewind(linkedMoment, person, true, true)
    })
  }, [])
  const change = (set: (value: string) => void) => (value: string) => {
    set(value)
    setResult(undefined)
  }
  return (
    <section class="card">
      <h2>{text.head}</h2>
      <p>{text.lead}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setResult(undefined)
          void send(to, by, true)
        }}
      >
        <TextField
          label={text.to}
          hint={text.toHint(site.timezone)}
          problem={problemOf(error, 'to', text.badMoments)}
          value={fieldValue(to)}
          onValue={change(setTo)}
          input={{ type: 'datetime-local', required: true }}
        />
        <TextField
          label={text.by}
          hint={text.byHint}
          isOptional
          problem={problemOf(error, 'by')}
          value={by}
          onValue={change(setBy)}
          input={{ type: 'email', autocomplete: 'off' }}
        />
        <button type="submit" class="main" aria-disabled={isBusy}>
          {text.preview}
        </button>
      </form>
      {!!error && (
        <Notice kind="bad" isAboutFields={hasFields(error)}>
          {explain(error, text.refusals)}
        </Notice>
      )}
      {isBusy && <Spinner text={result ? text.working : text.looking} />}
      {result && !isBusy && (
        <Result
          report={result.report}
          isAskedFirst={result.isOfLink}
          onRewind={() => send(result.moment, result.person, false)}
          onUndo={(moment) => send(moment, '', true)}
        />
      )}
    </section>
  )
}

interface ResultProps {
  report: RewindReport
  isAskedFirst: boolean
  onRewind(): void
  /** Previews the rewind to the moment before. */
  onUndo(moment: string): void
}

function Result({ report, isAskedFirst, onRewind, onUndo }: ResultProps): JSX.Element {
  const { isAsked, ask, cancel, opener } = useQuestion(isAskedFirst)
  const { dry_run: isDryRun, deleted, changed, restored, published } = report
  const count = deleted + changed + restored
  return (
    <div aria-live="polite" class="rewind-result">
      <h2>{isDryRun ? text.wouldHead : text.didHead}</h2>
      <p>
        {text.counts(report)} {published > 0 && <strong>{text.published(published, isDryRun)}</strong>}
      </p>
      {report.events.length > 0 && <EventTable report={report} />}
      {report.undo_to !== null && (
        <button type="button" onClick={() => onUndo(report.undo_to!)}>
          {text.undo}
        </button>
      )}
      {isDryRun && count === 0 && <p>{text.nothing}</p>}
      {isDryRun &&
        count > 0 &&
        (isAsked ? (
          <Question yes={text.yes(count)} isBusy={false} onYes={onRewind} onCancel={cancel}>
            {text.sure(count)}
          </Question>
        ) : (
          <button ref={opener} type="button" class="danger" onClick={ask}>
            {text.now(count)}
          </button>
        ))}
    </div>
  )
}

const EventTable = ({ report }: { report: RewindReport }): JSX.Element => (
  <>
    <table>
      <caption class="spoken">{text.events}</caption>
      <thead>
        <tr>
          <th scope="col">{text.event}</th>
          <th scope="col">{text.result}</th>
        </tr>
      </thead>
      <tbody>
        {report.events.map(({ id, title, result, reason, published }) => (
          <tr key={id}>
            <td>{title}</td>
            <td>
              {text.results[result]![report.dry_run ? 'would' : 'did']}
              {reason && `: ${text.reasons[reason]}`}
              {published && <strong> {text.publicAgain}</strong>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {report.truncated && <p class="hint">{text.truncated}</p>}
  </>
)
