import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { NewProjectDialog } from './new-project-dialog.tsx'

/** Button with its dialog. Renders nothing for users who may not create projects. */
export const CreateProjectButton = () => {
  const t = useTexts('projects.list')
  const can = useCan()
  const [isOpen, { open, close }] = useDisclosure()
  if (!can('projects:write')) return null
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
        {t('create')}
      </Button>
      <NewProjectDialog isOpen={isOpen} onClose={close} />
    </>
  )
}
