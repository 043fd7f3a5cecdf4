import { Button, Stack, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'

export const DeletedFile = ({
  projectId,
  fileId,
}: {
  readonly projectId: number
  readonly fileId: number
}) => {
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
  return (
    <Stack align="flex-start">
      <Text role="status">{t('text')}</Text>
      <ProblemAlert error={restore.error} />
      {can('files:delete') && (
        <Button
          leftSection={<IconArrowBackUp size={18} aria-hidden />}
          loading={restore.isPending}
          onClick={() => restore.mutate()}
        >
          {t('restore')}
        </Button>
      )}
    </Stack>
  )
}
