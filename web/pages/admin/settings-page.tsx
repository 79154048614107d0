// Settings in force: name, meaning, value and origin of each.
import type { JSX } from 'preact'
import type { Setting } from '../../api/contract.ts'
import { call } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { useLoaded } from '../../ui/use-loaded.ts'
import { AdminPage } from './admin-page.tsx'
import { LoadedSection } from './parts.tsx'

const text = words.admin.settingsPage

export default function SettingsPage(): JSX.Element {
  return <AdminPage title={words.admin.settings} content={Settings} />
}

function Settings(): JSX.Element {
  const loaded = useLoaded((signal) => call('listSettings', { signal }), [])
  return (
    <>
      <p>{text.lead}</p>
      <LoadedSection loaded={loaded}>
        {({ data }) => (
          <dl class="settings">
            {data.map((setting) => (
              <Row key={setting.name} setting={setting} />
            ))}
          </dl>
        )}
      </LoadedSection>
    </>
  )
}

const Row = ({ setting: { name, environment, value, origin, meaning } }: { setting: Setting }): JSX.Element => (
  <div>
    <dt>
      <code>{name}</code>
      <span class="quiet">{withCode(meaning)}</span>
    </dt>
    <dd>
      {value === '' ? <span class="quiet">{text.empty}</span> : <code>{value}</code>}
      <span class="quiet">
        {text.origins[origin]}
        {origin === 'environment' && (
          <>
            {' ('}
            <code>{environment}</code>)
          </>
        )}
      </span>
    </dd>
  </div>
)

/** Text between backticks becomes <code>. */
const withCode = (sentence: string): (string | JSX.Element)[] =>
  sentence.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))
