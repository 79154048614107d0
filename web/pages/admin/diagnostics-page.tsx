// Diagnostics page: the latest requests, live and filtered, to find out why a client fails.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Trace } from '../../api/contract.ts'
import { call } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { Checkbox, SelectField, TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { AdminPage } from './admin-page.tsx'
import { DateTime, LoadedSection } from './parts.tsx'
import { TraceDialog } from './trace-dialog.tsx'

const text = words.admin.diagnosticsPage

/** Often enough to watch a device connect, seldom enough to stay far from the rate limits. */
const EVERY_MS = 4_000

export default function DiagnosticsPage(): JSX.Element {
  return <AdminPage title={words.admin.diagnostics} content={Diagnostics} />
}

interface TraceFilters {
  answers: 'any' | 'fine' | 'refused' | 'failed'
  auth: Trace['auth'] | 'any'
  search: string
  isOwnOut: boolean
}

function Diagnostics(): JSX.Element {
  const [isPaused, setPaused] = useState(false)
  const [filters, setFilters] = useState<TraceFilters>({ answers: 'any', auth: 'any', search: '', isOwnOut: true })
  const [chosen, setChosen] = useState<Trace>()
  const loaded = useLoaded((signal) => call('listDiagnostics', { query: { limit: 200 }, signal }), [])
  useEffect(() => {
    if (isPaused) return
    const timer = setInterval(() => document.hidden || loaded.again(), EVERY_MS)
    return () => clearInterval(timer)
  }, [isPaused])
  const shown = (loaded.data?.data ?? []).filter((trace) => fits(trace, filters))
  return (
    <>
      <p>{text.lead}</p>
      <FilterForm filters={filters} onFilters={setFilters} />
      <div class="live">
        <button type="button" onClick={() => setPaused(!isPaused)}>
          {isPaused ? text.goOn : text.pause}
        </button>
        <span class="quiet">{isPaused ? text.paused : text.live}</span>
        <News traces={shown} />
      </div>
      <LoadedSection loaded={loaded}>
        {({ meta }) => (
          <>
            {meta?.warnings?.includes('credentials_in_clear') && <Notice kind="plain">{text.inClear}</Notice>}
            {!!meta?.counts?.index_total && (
              <Notice kind="plain">{text.rebuilding(meta.counts.index_done ?? 0, meta.counts.index_total)}</Notice>
            )}
            {!!meta?.counts?.unreadable_events && (
              <Notice kind="plain">{text.unreadable(meta.counts.unreadable_events)}</Notice>
            )}
            {meta?.warnings?.includes('clock_in_doubt') && <Notice kind="plain">{text.clockInDoubt}</Notice>}
            {meta?.warnings?.includes('backup_failing') && <Notice kind="plain">{text.backupFailing}</Notice>}
            {meta?.warnings?.includes('loopback_http_allowed') && <Notice kind="plain">{text.loopbackHttp}</Notice>}
            {shown.length === 0 ? <p class="quiet">{text.empty}</p> : <Traces traces={shown} onChoose={setChosen} />}
            {!!meta?.counts?.skipped && <p class="quiet">{text.skipped(meta.counts.skipped)}</p>}
          </>
        )}
      </LoadedSection>
      {chosen && <TraceDialog trace={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

/** Announces the number of new requests to screen readers, without interrupting. */
function News({ traces }: { traces: Trace[] }): JSX.Element {
  const last = useRef<string>()
  const [news, setNews] = useState('')
  const newest = traces[0]?.id
  useEffect(() => {
    const before = last.current
    last.current = newest
    if (before === undefined || newest === before) return
    const known = traces.findIndex(({ id }) => id === before)
    if (known > 0) setNews(text.latest(known))
  }, [newest])
  return (
    <span class="quiet" role="status">
      {news}
    </span>
  )
}

function FilterForm({
  filters,
  onFilters,
}: {
  filters: TraceFilters
  onFilters(filters: TraceFilters): void
}): JSX.Element {
  const auths = ['anonymous', 'session', 'basic', 'token'] as const
  return (
    <search class="filters">
      <SelectField
        label={text.answers}
        value={filters.answers}
        onValue={(answers) => onFilters({ ...filters, answers })}
        options={[
          ['any', text.anyAnswer],
          ['fine', text.fine],
          ['refused', text.refused],
          ['failed', text.failed],
        ]}
      />
      <SelectField
        label={text.who}
        value={filters.auth}
        onValue={(auth) => onFilters({ ...filters, auth })}
        options={[['any', text.anyWho], ...auths.map((auth) => [auth, text.auths[auth]!] as const)]}
      />
      <TextField
        label={text.search}
        value={filters.search}
        onValue={(search) => onFilters({ ...filters, search })}
        input={{ type: 'search' }}
      />
      <Checkbox
        label={text.ownOut}
        isOn={filters.isOwnOut}
        onChange={(isOwnOut) => onFilters({ ...filters, isOwnOut })}
      />
    </search>
  )
}

function fits({ request, response, auth }: Trace, filters: TraceFilters): boolean {
  const kind = response.status >= 500 ? 'failed' : response.status >= 400 ? 'refused' : 'fine'
  const searchable = `${request.method} ${request.route ?? ''} ${response.status} ${response.error_code ?? ''}`
  return (
    (filters.answers === 'any' || filters.answers === kind) &&
    (filters.auth === 'any' || filters.auth === auth) &&
    searchable.toLowerCase().includes(filters.search.trim().toLowerCase()) &&
    !(filters.isOwnOut && isOwn(request.route ?? ''))
  )
}

const isOwn = (route: string): boolean => route === '/admin/diagnostics' || route.startsWith('/assets/')

const Traces = ({ traces, onChoose }: { traces: Trace[]; onChoose(trace: Trace): void }): JSX.Element => (
  <table class="traces">
    <caption class="spoken">{text.table}</caption>
    <thead>
      <tr>
        <th scope="col">{text.time}</th>
        <th scope="col">{text.request}</th>
        <th scope="col">{text.answer}</th>
        <th scope="col" class="roomy">
          {text.duration}
        </th>
        <th scope="col" class="roomy">
          {text.who}
        </th>
        <th scope="col" class="roomy">
          {text.net}
        </th>
      </tr>
    </thead>
    <tbody>
      {traces.map((trace) => (
        <tr key={trace.id}>
          <td>
            <DateTime at={trace.at} as="short" />
          </td>
          <td>
            <button type="button" class="plain row" title={text.details} onClick={() => onChoose(trace)}>
              {trace.request.method} {trace.request.route ?? text.unknownRoute}
            </button>
          </td>
          <td>
            {trace.response.status}
            {trace.response.error_code && <div class="quiet">{trace.response.error_code}</div>}
          </td>
          <td class="roomy">{text.milliseconds(trace.duration_ms)}</td>
          <td class="roomy">{text.auths[trace.auth]}</td>
          <td class="roomy">{trace.client_net ?? words.admin.none}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
