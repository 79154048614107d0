// Import and export page: an import is a dry run first, then the real one.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../../api/client.ts'
import type { ImportReport } from '../../api/contract.ts'
import { call } from '../../app/session.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { explain } from '../../ui/explain.ts'
import { Field } from '../../ui/field.tsx'
import { useSubmission } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { AdminPage } from './admin-page.tsx'
import { Report } from './import-report.tsx'

const text = words.admin.transferPage

const MIB = 1_024 * 1_024
const LARGEST_BYTES = 10 * MIB

export default function TransferPage(): JSX.Element {
  return <AdminPage title={words.admin.transfer} content={Transfer} />
}

const Transfer = (): JSX.Element => (
  <>
    <Import />
    <section class="card">
      <h2>{text.exportHead}</h2>
      <p>{text.exportLead}</p>
      <a class="button" href={`${site.api}/admin/export.ics`} download="calendar.ics">
        {text.export}
      </a>
    </section>
  </>
)

/** `share` of the file that has been sent, from 0 to 1. */
type UploadProgress = { share: number; isDryRun: boolean } | undefined

function Import(): JSX.Element {
  const [file, setFile] = useState<File>()
  const [work, setWork] = useState<UploadProgress>()
  const [report, setReport] = useState<ImportReport>()
  const [problem, setProblem] = useState<string>()
  const isTooLarge = !!file && file.size > LARGEST_BYTES
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setReport(undefined)
    setProblem(undefined)
  }
  const { run } = useSubmission()
  const send = (isDryRun: boolean) =>
    run(async () => {
      setWork({ share: 0, isDryRun })
      setProblem(undefined)
      try {
        const { data } = await call('importCalendar', {
          query: { dry_run: isDryRun },
          file: new Blob([file!], { type: 'text/calendar' }),
          onUpload: (share) => setWork({ share, isDryRun }),
        })
        setReport(data)
      } catch (error) {
        setProblem(problemOf(error))
      }
      setWork(undefined)
    })
  const wanted = report ? report.created + report.updated : 0
  return (
    <section class="card">
      <h2>{text.importHead}</h2>
      <p>{text.importLead}</p>
      <Field
        label={text.file}
        problem={isTooLarge ? text.tooLarge(`${(file.size / MIB).toFixed(1)} MiB`, site.command) : undefined}
      >
        {(control) => (
          <input
            type="file"
            accept=".ics,text/calendar"
            disabled={!!work}
            onChange={(event) => choose(event.currentTarget.files?.[0])}
            {...control}
          />
        )}
      </Field>
      {file && !isTooLarge && !report && (
        <button type="button" class="main" disabled={!!work} onClick={() => send(true)}>
          {text.rehearse}
        </button>
      )}
      {problem && <Notice kind="bad">{problem}</Notice>}
      {report && !work && <Report report={report} />}
      {report?.dry_run && !work && (
        <div class="actions">
          {wanted === 0 ? (
            <p>{text.nothing}</p>
          ) : (
            <button type="button" class="main" onClick={() => send(false)}>
              {text.importNow(wanted)}
            </button>
          )}
        </div>
      )}
      {work && <Progress work={work} />}
    </section>
  )
}

/** Upload progress can be measured; the server’s work cannot, so it gets a spinner. */
function Progress({ work: { share, isDryRun } }: { work: NonNullable<UploadProgress> }): JSX.Element {
  if (share >= 1) return <Spinner text={isDryRun ? text.looking : text.importing} />
  return (
    <div class="progress">
      <Spinner text={text.uploading} />
      <progress aria-label={text.uploading} max={1} value={share} />
    </div>
  )
}

function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return explain(error)
  const { line } = error.details
  if (error.code === 'validation_failed' && line !== undefined) return text.unreadable(line)
  return error.status === 400 || error.status === 422 ? text.notCalendar : explain(error)
}
