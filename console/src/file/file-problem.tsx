import type { MediaFile } from '@zoetrope/sdk'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconRefresh, IconReplace } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { faultText } from './file-fault.ts'
import type { FileRights } from './file-rights.ts'
import { ReplaceSource } from './replace-source.tsx'

/** Why the file does not play, or not in full, and what to do. */
export const FileProblem = ({ file, rights }: { readonly file: MediaFile; readonly rights: FileRights }) => {
  const t = useTexts('file.status')
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: () => zoetrope.files.retry(file.ProjectId, file.Id),
    onSuccess: (again) => queryClient.setQueryData(queryKeys.file(file.ProjectId, file.Id), again),
  })
  const [isReplacing, replacing] = useDisclosure()
  if (!file.HasErrors)
    return (
      file.ErrorMessage !== null && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {faultText(file)}
        </Text>
      )
    )
  return (
    <Alert
      color="red"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={file.Status === 'degraded' ? t('withErrors') : t('notPlayable')}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {faultText(file)}
        </Text>
        {rights.mayEdit && (
          <>
            <Text size="sm">{t('advice')}</Text>
            <Group gap="xs">
              <Button leftSection={<IconReplace size={16} aria-hidden />} onClick={replacing.open}>
                {t('replace')}
              </Button>
              <Button
                variant="default"
                leftSection={<IconRefresh size={16} aria-hidden />}
                loading={retry.isPending}
                onClick={() => retry.mutate()}
              >
                {t('retry')}
              </Button>
            </Group>
          </>
        )}
        <ProblemAlert error={retry.error} />
      </Stack>
      <ReplaceSource file={file} isOpen={isReplacing} onClose={replacing.close} />
    </Alert>
  )
}
