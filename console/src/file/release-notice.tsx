import type { MediaFile } from '@zoetrope/sdk'
import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { formatTime } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { ReleaseBadge } from '../ui/release-status.tsx'
import type { FileRights } from './file-rights.ts'

type Visibility = 'hidden' | 'late' | 'early' | 'seen' | 'notYet'

const visibilityNow = ({ Metadata, IsPlayable }: MediaFile): Visibility => {
  const { ReleaseStatus, IsPublicAt, IsPublicUntil } = Metadata
  const now = Date.now()
  if (ReleaseStatus !== 'published') return 'hidden'
  if (IsPublicUntil !== null && Date.parse(IsPublicUntil) <= now) return 'late'
  if (IsPublicAt !== null && Date.parse(IsPublicAt) > now) return 'early'
  return IsPlayable ? 'seen' : 'notYet'
}

/** Shows whether viewers see the file, the reason if not, and a button to change it. */
export const ReleaseNotice = ({
  file,
  rights,
}: {
  readonly file: MediaFile
  readonly rights: FileRights
}) => {
  const t = useTexts('file.releaseNotice')
  const queryClient = useQueryClient()
  const { ReleaseStatus, IsPublicAt, IsPublicUntil } = file.Metadata
  const isPublished = ReleaseStatus === 'published'
  const release = useMutation({
    mutationFn: () =>
      zoetrope.files.updateMetadata(file.ProjectId, file.Id, {
        ReleaseStatus: isPublished ? 'unpublished' : 'published',
      }),
    onSuccess: (released) => {
      queryClient.setQueryData(queryKeys.file(file.ProjectId, file.Id), released)
      return queryClient.invalidateQueries({ queryKey: queryKeys.files(file.ProjectId) })
    },
  })
  const visibility = visibilityNow(file)
  const when = formatTime(visibility === 'late' ? IsPublicUntil : IsPublicAt)
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Group gap="xs" role="status">
          <ReleaseBadge status={ReleaseStatus} />
          <Text size="sm">{t(visibility, { when })}</Text>
        </Group>
        {rights.mayPublish && (
          <Button
            size="xs"
            variant={isPublished ? 'default' : 'filled'}
            loading={release.isPending}
            onClick={() => release.mutate()}
          >
            {isPublished ? t('unpublish') : t('publish')}
          </Button>
        )}
      </Group>
      <ProblemAlert error={release.error} />
    </>
  )
}
