// Health page: what the checks of `daybook doctor` find in the running service, and what to do.
import type { JSX } from 'preact'
import type { HealthFinding } from '../../api/contract.ts'
import { call } from '../../app/session.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { Notice } from '../../ui/notice.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { AdminPage } from './admin-page.tsx'
import { DateTime, LoadedSection } from './parts.tsx'

const text = words.admin.healthPage

export default function HealthPage(): JSX.Element {
  return <AdminPage title={words.admin.health} content={Health} />
}

function Health(): JSX.Element {
  const loaded = useLoaded((signal) => call('getHealth', { signal }), [])
  return (
    <>
      <p>{text.lead}</p>
      <LoadedSection loaded={loaded}>
        {({ data: { checked_at: checkedAt, findings } }) => (
          <>
            <Summary findings={findings} />
            <div class="live">
              <button type="button" disabled={loaded.state === 'loading'} onClick={loaded.again}>
                {text.again}
              </button>
              <span class="quiet" role="status">
                {loaded.state === 'loading' ? (
                  text.checking
                ) : (
                  <>
                    {text.checked} <DateTime at={checkedAt} as="exact" />
                  </>
                )}
              </span>
            </div>
            <dl class="findings">
              {[...Map.groupBy(findings, ({ area }) => area)].map(([area, some]) => (
                <Area key={area} name={text.areas[area] ?? area} findings={some} />
              ))}
            </dl>
          </>
        )}
      </LoadedSection>
    </>
  )
}

function Summary({ findings }: { findings: readonly HealthFinding[] }): JSX.Element {
  const count = (level: HealthFinding['level']): number => findings.filter((finding) => finding.level === level).length
  const [problems, warnings] = [count('problem'), count('warning')]
  const kind = problems > 0 ? 'bad' : warnings > 0 ? 'plain' : 'good'
  return <Notice kind={kind}>{text.summary(problems, warnings)}</Notice>
}

const Area = ({ name, findings }: { name: string; findings: readonly HealthFinding[] }): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>
      <ul>
        {findings.map((finding) => (
          <Found key={`${finding.code} ${finding.message}`} finding={finding} />
        ))}
      </ul>
    </dd>
  </div>
)

/** In the reader's language; that of the service where it says no values, or the page does not know the code. */
function Found({ finding }: { finding: HealthFinding }): JSX.Element {
  const { code, level, values } = finding
  const find = Object.hasOwn(words.admin.service.findings, code)
    ? words.admin.service.findings[code as FindingName]
    : undefined
  const [message, advice] = (values && find?.({ ...values, command: site.command })) ?? [
    finding.message,
    finding.advice,
  ]
  return (
    <li>
      <span class={`level is-${level}`}>{text.levels[level]}</span>
      <div>
        <p>{asSentence(message)}</p>
        {advice && <p class="quiet">{advice}</p>}
      </div>
    </li>
  )
}

type FindingName = keyof typeof words.admin.service.findings

/** Messages begin in lower case; names of settings and addresses stay as they are. */
const asSentence = (message: string): string =>
  /^[a-z]+[ ,]/.test(message) ? `${message[0]!.toUpperCase()}${message.slice(1)}.` : `${message}.`
