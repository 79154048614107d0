// Report of an import or its dry run: counts, and a table of entries.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ImportReport } from '../../api/contract.ts'
import * as words from '../../strings.ts'
import { SelectField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'

const text = words.admin.transferPage

const RESULTS = ['created', 'updated', 'unchanged', 'skipped'] as const
type ImportResultKind = (typeof RESULTS)[number]

/** Rows in the table; the counts include all entries. */
const MOST_SHOWN = 200

export function Report({ report }: { report: ImportReport }): JSX.Element {
  const [only, setOnly] = useState<ImportResultKind | 'all'>(report.skipped > 0 ? 'skipped' : 'all')
  const wording = report.dry_run ? 'would' : 'did'
  const counted = (result: ImportResultKind): number => report[result]
  const total = RESULTS.reduce((sum, result) => sum + counted(result), 0)
  const listed = report.events.filter(({ result }) => only === 'all' || result === only)
  const shown = listed.slice(0, MOST_SHOWN)
  const left = (only === 'all' ? total : counted(only)) - shown.length
  return (
    <div class="report">
      {!report.dry_run && <Notice kind="good">{text.done}</Notice>}
      <h3>{report.dry_run ? text.wouldHead : text.didHead}</h3>
      <ul class="counts">
        {RESULTS.map((result) => (
          <li key={result}>
            <strong>{counted(result)}</strong> {text.results[result]![wording]}
          </li>
        ))}
      </ul>
      <SelectField
        label={text.show}
        value={only}
        onValue={setOnly}
        options={[
          ['all', `${text.all} (${total})`],
          ...RESULTS.map((result) => [result, `${text.results[result]![wording]} (${counted(result)})`] as const),
        ]}
      />
      {shown.length > 0 && (
        <table>
          <caption class="spoken">{text.entries}</caption>
          <thead>
            <tr>
              <th scope="col">{text.line}</th>
              <th scope="col">{text.event}</th>
              <th scope="col">{text.result}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((entry) => (
              <tr key={`${entry.line} ${entry.uid}`}>
                <td>{entry.line}</td>
                <td>{entry.title || entry.uid}</td>
                <td>
                  {text.results[entry.result]![wording]}
                  {entry.message && <div class="quiet">{entry.message}</div>}
                  {entry.continues && <div class="quiet">{text.continues}</div>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {left > 0 && <p class="quiet">{text.more(left)}</p>}
    </div>
  )
}
