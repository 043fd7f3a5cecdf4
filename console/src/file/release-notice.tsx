import type { MediaFile } from '@zoetrope/sdk'
import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { defineWords } from '../shell/words.ts'
import { formatTime } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { ReleaseBadge } from '../ui/release-status.tsx'
import type { FileRights } from './file-rights.ts'

const useWords = defineWords('file-release-notice', {
  en: {
    hidden: 'Viewers do not see it.',
    seen: 'Viewers see it.',
    early: 'Viewers see it from {{when}}.',
    late: 'Viewers saw it until {{when}}.',
    notYet: 'Viewers see it as soon as it can be played.',
    publish: 'Publish',
    unpublish: 'Unpublish',
  },
  de: {
    hidden: 'Zuschauer sehen es nicht.',
    seen: 'Zuschauer sehen es.',
    early: 'Zuschauer sehen es ab {{when}}.',
    late: 'Zuschauer sahen es bis {{when}}.',
    notYet: 'Zuschauer sehen es, sobald es abspielbar ist.',
    publish: 'Veröffentlichen',
    unpublish: 'Zurückziehen',
  },
})

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
  const t = useWords()
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
