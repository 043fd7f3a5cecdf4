import './start.css'
import { Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { allProjects } from '../projects/all-projects.ts'
import { CreateProjectButton } from '../projects/create-project-button.tsx'
import { useCurrentProjectId } from '../shell/current-project.ts'
import { useCan, useSession } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { DropZone } from '../uploads/drop-zone.tsx'
import { addUploads } from '../uploads/upload-queue.ts'

export const UploadStep = () => {
  const t = useTexts('start.uploadStep')
  const projectId = useCurrentProjectId()
  const { User } = useSession()
  const can = useCan(projectId ?? undefined)
  const { data: projects = [] } = useQuery(allProjects)
  const upload = useCallback(
    (files: readonly File[]): void => {
      if (projectId !== null) addUploads(projectId, User.Id, files)
    },
    [projectId, User.Id],
  )
  if (projectId === null)
    return (
      <Stack gap="sm" align="flex-start">
        <Text>{t('noProject')}</Text>
        <CreateProjectButton />
      </Stack>
    )
  const name = projects.find(({ Id }) => Id === projectId)?.Name ?? ''
  return (
    <div className="start-drop">
      <IconUpload size={32} stroke={1.5} color="var(--text-muted)" aria-hidden />
      <Text maw={420}>{t('about')}</Text>
      <Group justify="center">
        {can('files:upload') && (
          <FileButton accept="video/*,audio/*" multiple onChange={upload}>
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
      {name !== '' && (
        <Text size="sm" c="dimmed">
          {t('where', { name })}
        </Text>
      )}
      {can('files:upload') && <DropZone projectName={name} onFiles={upload} />}
    </div>
  )
}
