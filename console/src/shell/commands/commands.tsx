import { lazy, Suspense, useState } from 'react'
import type { CommandDialog } from './command-dialog.ts'
import { useShortcuts } from './shortcuts.ts'

const Dialogs = lazy(async () => {
  const { CommandDialogs } = await import('./command-dialogs.tsx')
  return { default: CommandDialogs }
})

/** Keyboard shortcuts, and the dialogs that are reachable on every screen. They load when the first one opens. */
export const Commands = ({
  shown,
  onShow,
}: {
  readonly shown: CommandDialog | null
  readonly onShow: (dialog: CommandDialog | null) => void
}) => {
  useShortcuts({
    // The palette would replace the form and what was typed into it.
    onPalette: () => shown !== 'project' && onShow('palette'),
    onHelp: () => onShow('shortcuts'),
  })
  const [isLoaded, setIsLoaded] = useState(false)
  if (shown !== null && !isLoaded) setIsLoaded(true)
  if (!isLoaded) return null
  return (
    <Suspense>
      <Dialogs shown={shown} onShow={onShow} />
    </Suspense>
  )
}
