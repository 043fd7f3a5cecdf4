import { NewProjectDialog } from '../../projects/new-project-dialog.tsx'
import { ApiRequestsDrawer } from '../requests/api-requests-drawer.tsx'
import { useSignOut } from '../sign-in/sign-out.tsx'
import { CommandPalette } from './command-palette.tsx'
import type { CommandDialog } from './command-dialog.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'

export const CommandDialogs = ({
  shown,
  onShow,
}: {
  readonly shown: CommandDialog | null
  readonly onShow: (dialog: CommandDialog | null) => void
}) => {
  const { signOut, question } = useSignOut()
  const close = (): void => onShow(null)
  return (
    <>
      {question}
      <CommandPalette
        isOpen={shown === 'palette'}
        onClose={close}
        onShow={onShow}
        onSignOut={() => void signOut()}
      />
      <ShortcutsDialog isOpen={shown === 'shortcuts'} onClose={close} />
      <NewProjectDialog isOpen={shown === 'project'} onClose={close} />
      <ApiRequestsDrawer isOpen={shown === 'api'} onClose={close} />
    </>
  )
}
