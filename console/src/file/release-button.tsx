import type { MediaFile } from '@zoetrope/sdk'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'

export const ReleaseButton = ({ file }: { readonly file: MediaFile }) => {
  const t = useTexts('file.actions')
  const queryClient = useQueryClient()
  const isPublished = file.Metadata.ReleaseStatus === 'published'
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
  return (
    <>
      <ProblemAlert error={release.error} />
      <Button
        variant={isPublished || !file.IsPlayable ? 'default' : 'filled'}
        loading={release.isPending}
        onClick={() => release.mutate()}
      >
        {isPublished ? t('unpublish') : t('publish')}
      </Button>
    </>
  )
}
