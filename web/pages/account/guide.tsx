// CalDAV setup guide: server address, user name, and the steps for each program.
import type { JSX } from 'preact'
import { absoluteUrl, site } from '../../site.ts'
import * as words from '../../strings.ts'
import { CopyField } from '../../ui/copy-field.tsx'

export function Guide({ email }: { email: string }): JSX.Element {
  const server = absoluteUrl('/')
  const { host } = new URL(site.origin)
  return (
    <section>
      <h2>{words.account.guideTitle}</h2>
      <p>{words.account.guideLead}</p>
      <div class="card">
        <CopyField label={words.account.guideServer} text={server} />
        <CopyField label={words.account.guideUser} text={email} />
        <p>{words.account.guidePassword}</p>
      </div>
      {words.account.guides({ server, host, email }).map(({ name, steps, code }) => (
        <details key={name} class="guide">
          <summary>{name}</summary>
          <ol>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          {code && (
            <pre>
              <code>{code}</code>
            </pre>
          )}
        </details>
      ))}
    </section>
  )
}
