// A component whose code is loaded when it is first shown, to keep it out of the first load.
import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import * as words from '../strings.ts'
import { Notice } from '../ui/notice.tsx'

export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: JSX.Element | null = null,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Lazy(props: Props): JSX.Element | null {
    const [Shown, setShown] = useState<ComponentType<Props> | undefined>(() => loaded)
    const [isBroken, setBroken] = useState(false)
    useEffect(() => {
      if (Shown) return
      // It may have arrived between the first render and this effect.
      const arriving = loaded ? Promise.resolve(loaded) : load()
      arriving.then(
        (component) => {
          loaded = component
          setShown(() => component)
        },
        () => setBroken(true),
      )
    }, [])
    if (isBroken) return <Notice kind="bad">{words.frame.broken}</Notice>
    return Shown ? <Shown {...props} /> : waiting
  }
}
