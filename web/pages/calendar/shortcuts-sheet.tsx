// Dialog that lists the keyboard shortcuts of the calendar and switches them off.
import type { JSX } from 'preact'
import * as words from '../../strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { useStore } from '../../ui/store.ts'
import { undoShortcut } from '../../ui/undo-key.ts'
import { areShortcutsOn, switchShortcuts } from './shortcuts.ts'
import './shortcuts.css'

const strings = words.calendar.shortcuts

export interface ShortcutsSheetProps {
  canWrite: boolean
  onClose(): void
}

export function ShortcutsSheet({ canWrite, onClose }: ShortcutsSheetProps): JSX.Element {
  const isOn = useStore(areShortcutsOn)
  const rows: [keys: string[], does: string][] = [
    [['t'], strings.today],
    ...(canWrite ? [[['n'], strings.new] satisfies [string[], string]] : []),
    [['/'], strings.search],
    [['←', '→'], strings.period],
    [['?'], strings.sheet],
  ]
  const undo = undoShortcut.replace('Control', 'Ctrl').replace('Meta', '⌘').replace('+', ' ')
  return (
    <Dialog title={strings.title} onClose={onClose}>
      <dl class={isOn ? 'shortcuts' : 'shortcuts off'}>
        {rows.map(([keys, does]) => (
          <Row key={does} keys={keys} does={does} />
        ))}
      </dl>
      <Checkbox label={strings.on} isOn={isOn} onChange={switchShortcuts} />
      <h3>{strings.always}</h3>
      <dl class="shortcuts">
        <Row keys={['←', '↑', '→', '↓']} does={strings.move} />
        <Row keys={['Enter']} does={canWrite ? strings.add : strings.open} />
        {canWrite && <Row keys={undo.split(' ')} does={strings.undo} />}
        <Row keys={['Esc']} does={strings.close} />
      </dl>
    </Dialog>
  )
}

const Row = ({ keys, does }: { keys: readonly string[]; does: string }): JSX.Element => (
  <div>
    <dt>
      {keys.map((key) => (
        <kbd key={key}>
          <span aria-hidden={key in SPOKEN || undefined}>{key}</span>
          {SPOKEN[key] && <span class="spoken">{SPOKEN[key]}</span>}
        </kbd>
      ))}
    </dt>
    <dd>{does}</dd>
  </div>
)

/** Names of keys whose sign may not be read out. */
const SPOKEN: Record<string, string | undefined> = strings.spoken
