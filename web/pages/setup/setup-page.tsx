// First-run page: creates the administrator with the code in the link, and names the calendar.
import type { JSX } from 'preact'
import { ExitLinks } from '../../app/exit-links.tsx'
import { Link } from '../../app/router.tsx'
import { session } from '../../app/session.ts'
import { site } from '../../site.ts'
import * as words from '../../strings.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useStore } from '../../ui/store.ts'
import { SetupForm } from './setup-form.tsx'

const text = words.setup

/** The fragment reaches no server and no log. */
const fragment = new URLSearchParams(location.hash.slice(1))

export default function SetupPage(): JSX.Element {
  const known = useStore(session)
  if (fragment.has('ready')) return known.state === 'unknown' ? <Spinner /> : <Ready kept={fragment.get('ready')!} />
  if (site.is_set_up) return <Done />
  const code = fragment.get('code')
  return code ? <SetupForm code={code} /> : <NoCode />
}

const Done = (): JSX.Element => (
  <Page title={text.doneTitle}>
    <p>{text.done}</p>
    <ExitLinks />
  </Page>
)

const NoCode = (): JSX.Element => (
  <Page title={text.noCodeTitle}>
    <p>
      {text.noCode[0]} <code>/setup#code=…</code>
    </p>
    <p>{text.noCode[1]}</p>
    <CopyField label={text.noCode[2]!} text={`${site.command} admin create --email you@example.org`} />
  </Page>
)

const Ready = ({ kept }: { kept: string }): JSX.Element => (
  <Page title={text.readyTitle}>
    <p>{text.ready}</p>
    {kept && <Notice kind="plain">{text.kept(keptNames(kept))}</Notice>}
    <h2>{text.next}</h2>
    <p class="actions">
      <Link class="button main" to="/">
        {text.toCalendar}
      </Link>
      <Link class="button" to="/admin/transfer">
        {text.toImport}
      </Link>
    </p>
    <CopyField label={text.demo} text={`${site.command} demo`} />
  </Page>
)

/** The labels of the known fields; anything else in the fragment is ignored. */
function keptNames(kept: string): string {
  const names: Record<string, string> = { site_name: text.siteName, timezone: text.zone, week_start: text.weekStart }
  return kept
    .split(',')
    .flatMap((name) => (Object.hasOwn(names, name) ? [names[name]] : []))
    .join(', ')
}
