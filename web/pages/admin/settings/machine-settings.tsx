// Settings that only the operator of the machine sets, grouped by the reason.
import type { JSX } from 'preact'
import type { Setting } from '../../../api/contract.ts'
import * as words from '../../../strings.ts'
import { reasonFor } from './setting-field.tsx'

const text = words.admin.settingsPage

/** In the reader's language; English is what the service says. */
const meanings: Readonly<Record<string, string>> = words.admin.service.meanings

/** Those of the sections above are fixed for other reasons, which stand beside them. */
export function MachineSettings({ settings }: { settings: readonly Setting[] }): JSX.Element {
  const fixed = settings.filter(({ name }) => !(name in text.fields) && !name.startsWith('smtp_'))
  return (
    <section class="machine">
      <h2>{text.machine}</h2>
      <p>{text.machineLead}</p>
      {[...Map.groupBy(fixed, reasonFor)].map(([reason, some]) => (
        <div key={reason} class="part">
          <h3>{reason}</h3>
          <dl class="settings">
            {some.map((setting) => (
              <Row key={setting.name} setting={setting} />
            ))}
          </dl>
        </div>
      ))}
    </section>
  )
}

const Row = ({ setting: { name, environment, value, origin, meaning } }: { setting: Setting }): JSX.Element => (
  <div>
    <dt>
      <code>{name}</code>
      <span class="quiet">{withCode(meanings[name] || meaning)}</span>
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
