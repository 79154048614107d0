// Dialog with one recorded request and its response.
import type { ComponentChildren, JSX } from 'preact'
import type { Trace } from '../../api/contract.ts'
import * as words from '../../strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DateTime } from './parts.tsx'

const text = words.admin.diagnosticsPage

export function TraceDialog({ trace, onClose }: { trace: Trace; onClose(): void }): JSX.Element {
  const { request, response } = trace
  return (
    <Dialog title={`${request.method} ${request.route ?? text.unknownRoute}`} onClose={onClose}>
      <dl class="facts">
        <Fact name={text.time}>
          <DateTime at={trace.at} as="exact" />
        </Fact>
        <Fact name={text.answer}>
          {response.status}, {text.milliseconds(trace.duration_ms)}
        </Fact>
        {response.error_code && <Fact name={text.error}>{response.error_code}</Fact>}
        {trace.rate_policy && <Fact name={text.limit}>{trace.rate_policy}</Fact>}
        <Fact name={text.who}>{text.auths[trace.auth]}</Fact>
        <Fact name={text.user}>{trace.user_id ?? words.admin.none}</Fact>
        <Fact name={text.net}>{trace.client_net ?? words.admin.none}</Fact>
        <Fact name={text.query}>
          <Pairs values={request.query} />
        </Fact>
        <Fact name={text.headers}>
          <Pairs values={request.headers} />
        </Fact>
        <Fact name={text.body}>
          <Pairs values={request.body ?? {}} />
        </Fact>
        <Fact name={text.answerHeaders}>
          <Pairs values={response.headers} />
        </Fact>
        <Fact name={text.bytes}>
          {request.bytes ?? '?'}, {response.bytes ?? '?'}
        </Fact>
        <Fact name={text.id}>
          <code>{trace.request_id}</code>
        </Fact>
        <Fact name={text.node}>
          <code>{trace.node}</code>
        </Fact>
      </dl>
    </Dialog>
  )
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }): JSX.Element => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

function Pairs({ values }: { values: Record<string, string | undefined> }): JSX.Element {
  const pairs = Object.entries(values)
  if (pairs.length === 0) return <>{words.admin.none}</>
  return (
    <>
      {pairs.map(([name, value]) => (
        <div key={name}>
          <code>
            {name}: {value}
          </code>
        </div>
      ))}
    </>
  )
}
