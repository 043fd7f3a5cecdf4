import { Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { CreateProjectButton } from '../projects/create-project-button.tsx'
import { useCurrentProjectId } from '../shell/current-project.ts'
import { useCan, useSession } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { addUploads } from '../uploads/upload-queue.ts'

export const UploadStep = () => {
  const t = useTexts('start.uploadStep')
  const projectId = useCurrentProjectId()
  const { User } = useSession()
  const can = useCan(projectId ?? undefined)
  if (projectId === null)
    return (
      <Stack gap="sm" align="flex-start">
        <Text>{t('noProject')}</Text>
        <CreateProjectButton />
      </Stack>
    )
  return (
    <Stack gap="sm">
      <Text>{t('about')}</Text>
      <Group>
        {can('files:upload') && (
          <FileButton
            accept="video/*,audio/*"
            multiple
            onChange={(files) => addUploads(projectId, User.Id, files)}
          >
            {(props) => (
              <Button {...props} leftSection={<IconUpload size={16} aria-hidden />}>
                {t('choose')}
              </Button>
            )}
          </FileButton>
        )}
        <Anchor
          renderRoot={(props) => <Link {...props} to="/projects/$projectId/files" params={{ projectId }} />}
        >
          {t('library')}
        </Anchor>
      </Group>
    </Stack>
  )
}
