import { NewProjectDialog } from '../../projects/new-project-dialog.tsx'
import { ApiRequestsDrawer } from '../requests/api-requests-drawer.tsx'
import { useSignOut } from '../sign-in/sign-out.tsx'
import { CommandPalette } from './command-palette.tsx'
import { showDialog, type CommandDialog } from './command-dialog.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'

export const CommandDialogs = ({ shown }: { readonly shown: CommandDialog | null }) => {
  const { signOut, question } = useSignOut()
  const close = (): void => showDialog(null)
  return (
    <>
      {question}
      {shown === 'palette' && (
        <CommandPalette onClose={close} onShow={showDialog} onSignOut={() => void signOut()} />
      )}
      <ShortcutsDialog isOpen={shown === 'shortcuts'} onClose={close} />
      <NewProjectDialog isOpen={shown === 'project'} onClose={close} />
      <ApiRequestsDrawer isOpen={shown === 'api'} onClose={close} />
    </>
  )
}
