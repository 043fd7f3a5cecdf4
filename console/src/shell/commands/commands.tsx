import { lazy, Suspense, useEffect, useState } from 'react'
import { showDialog, useShownDialog } from './command-dialog.ts'
import { useShortcuts } from './shortcuts.ts'

const Dialogs = lazy(async () => {
  const { CommandDialogs } = await import('./command-dialogs.tsx')
  return { default: CommandDialogs }
})

/** Keyboard shortcuts, and the dialogs that are reachable on every screen. They load when the first one opens. */
export const Commands = () => {
  const shown = useShownDialog()
  useShortcuts({
    // The palette would replace the form and what was typed into it.
    onPalette: () => shown !== 'project' && showDialog('palette'),
    onHelp: () => showDialog('shortcuts'),
  })
  // The next user begins without a dialog.
  useEffect(() => () => showDialog(null), [])
  const [isLoaded, setIsLoaded] = useState(false)
  if (shown !== null && !isLoaded) setIsLoaded(true)
  if (!isLoaded) return null
  return (
    <Suspense>
      <Dialogs shown={shown} />
    </Suspense>
  )
}
