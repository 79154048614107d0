// Settings page: what administrators change, by section, and what only the operator sets, with the reason.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../../api/client.ts'
import type { Operations } from '../../api/contract.ts'
import { call } from '../../app/session.ts'
import * as words from '../../strings.ts'
import { toast } from '../../ui/toasts.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { AdminPage } from './admin-page.tsx'
import { LoadedSection } from './parts.tsx'
import { MachineSettings } from './settings/machine-settings.tsx'
import { MailSection } from './settings/mail-section.tsx'
import { byName, type SaveSettings, type SettingsPart } from './settings/setting-field.tsx'
import { SettingsSection } from './settings/settings-section.tsx'

const text = words.admin.settingsPage

export default function SettingsPage(): JSX.Element {
  return <AdminPage title={words.admin.settings} content={Settings} />
}

/** In the fragment after a reload, so that the page says that the change was saved. */
const SAVED = '#saved'

/** The page was rendered with these, so it is loaded again when one changes. */
const RENDERED = ['site_name', 'timezone', 'week_start', 'language', 'default_visibility', 'registration', 'smtp_url']

function Settings(): JSX.Element {
  const [answered, setAnswered] = useState<Operations['listSettings']['answer']>()
  const loaded = useLoaded((signal) => call('listSettings', { signal }), [])
  useEffect(announceSaved, [])
  const saveOn =
    (version: number): SaveSettings =>
    async (patch) => {
      try {
        setAnswered(await call('changeSettings', { body: { ...patch, version } }))
      } catch (error) {
        if (error instanceof ApiError && error.code === 'version_mismatch') loaded.again()
        throw error
      }
      if (RENDERED.some((name) => name in patch)) {
        history.replaceState(null, '', SAVED)
        location.reload()
      } else toast(text.saved)
    }
  return (
    <>
      <p>{text.lead}</p>
      <LoadedSection loaded={loaded}>
        {(first) => {
          const newest = answered && answered.meta!.version! > first.meta!.version! ? answered : first
          const part: SettingsPart = { settings: byName(newest.data), save: saveOn(newest.meta!.version!) }
          return (
            <>
              <SettingsSection
                {...part}
                title={text.calendar}
                names={['site_name', 'timezone', 'week_start', 'language', 'default_visibility', 'embed_sites']}
              />
              <SettingsSection {...part} title={text.accounts} names={['registration', 'notify_admins']} />
              <MailSection {...part} />
              <SettingsSection
                {...part}
                title={text.backups}
                note={part.settings.backup_dir!.value === '' ? text.noBackupFolder : undefined}
                names={['backup_every', 'backup_keep']}
              />
              <MachineSettings settings={newest.data} />
            </>
          )
        }}
      </LoadedSection>
    </>
  )
}

function announceSaved(): void {
  if (location.hash !== SAVED) return
  history.replaceState(null, '', location.pathname + location.search)
  toast(text.saved)
}
