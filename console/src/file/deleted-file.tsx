import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { formatTime } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'

interface Ids {
  readonly projectId: number
  readonly fileId: number
}

const RestoreButton = ({ projectId, fileId }: Ids) => {
  const t = useTexts('file.deleted')
  const queryClient = useQueryClient()
  const can = useCan(projectId)
  const restore = useMutation({
    mutationFn: () => zoetrope.files.restore(projectId, fileId),
    onSuccess: (file) => {
      queryClient.setQueryData(queryKeys.file(projectId, fileId), file)
      void queryClient.invalidateQueries({ queryKey: queryKeys.files(projectId) })
    },
  })
  if (!can('files:delete')) return null
  return (
    <>
      <ProblemAlert error={restore.error} />
      <Button
        leftSection={<IconArrowBackUp size={18} aria-hidden />}
        loading={restore.isPending}
        onClick={() => restore.mutate()}
      >
        {t('restore')}
      </Button>
    </>
  )
}

export const DeletedFile = ({ purgeAt, ...ids }: Ids & { readonly purgeAt: string | null }) => {
  const t = useTexts('file.deleted')
  return (
    <Stack align="flex-start">
      <Text role="status">{t('text', { time: formatTime(purgeAt) })}</Text>
      <RestoreButton {...ids} />
    </Stack>
  )
}

/** Above unsaved changes of a file that another user has deleted. */
export const LostFile = ({ isInTrash, ...ids }: Ids & { readonly isInTrash: boolean }) => {
  const t = useTexts('file.deleted')
  return (
    <Alert color="red" variant="outline" role="alert" title={t(isInTrash ? 'inTrash' : 'lost')}>
      <Stack align="flex-start" gap="xs">
        <Text size="sm">{t('copy')}</Text>
        {isInTrash && <RestoreButton {...ids} />}
      </Stack>
    </Alert>
  )
}
