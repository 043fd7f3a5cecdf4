import type { MediaFile } from '@zoetrope/sdk'
import { Badge, Button, Card, FileButton, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconCamera, IconUpload } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ownUrl } from '../ui/embed/own-url.ts'
import { asPicture } from '../ui/forms/as-picture.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { clockText } from './clock.ts'
import type { FileRights } from './file-rights.ts'
import type { PlayerLink } from './player-link.ts'

const accepted = 'image/jpeg,image/png,image/webp'

export const PicturesPanel = ({
  file,
  link,
  rights,
}: {
  readonly file: MediaFile
  readonly link: PlayerLink
  readonly rights: FileRights
}) => {
  const t = useTexts('file.pictures')
  const queryClient = useQueryClient()
  const position = useSyncExternalStore(link.subscribe, link.lastPosition)
  const [deleting, setDeleting] = useState<number | null>(null)
  const key = queryKeys.file(file.ProjectId, file.Id)
  const refresh = () => queryClient.invalidateQueries({ queryKey: key })
  const pictures = useQuery({
    queryKey: [...key, 'pictures'],
    queryFn: async ({ signal }) => {
      const page = await zoetrope.pictures.list(file.ProjectId, file.Id, { limit: 100 }, { signal })
      return page.Pictures
    },
  })
  const create = useMutation({
    mutationFn: async (picture: Blob | null) =>
      zoetrope.pictures.create(
        file.ProjectId,
        file.Id,
        picture ?? { Position: await link.position(), IsStandard: true },
      ),
    onSuccess: refresh,
  })
  const choose = useMutation({
    mutationFn: (id: number) => zoetrope.pictures.update(file.ProjectId, file.Id, id, { IsStandard: true }),
    onSuccess: refresh,
  })
  const mayTake = rights.mayEdit && file.IsPlayable && file.Properties?.VideoFormat != null
  return (
    <Stack>
      {rights.mayEdit && (
        <>
          <Text size="sm">{t('advice')}</Text>
          <Group>
            {mayTake && (
              <Button
                leftSection={<IconCamera size={18} aria-hidden />}
                loading={create.isPending}
                onClick={() => {
                  link.pause()
                  create.mutate(null)
                }}
              >
                {t('take', { time: clockText(position) })}
              </Button>
            )}
            <FileButton
              accept={accepted}
              onChange={(picture) => picture !== null && create.mutate(asPicture(picture))}
            >
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  leftSection={<IconUpload size={18} aria-hidden />}
                  disabled={create.isPending}
                >
                  {t('upload')}
                </Button>
              )}
            </FileButton>
          </Group>
        </>
      )}
      <ProblemAlert error={create.error ?? choose.error ?? pictures.error} />
      <Text size="sm" role="status">
        {create.isSuccess && t('made')}
      </Text>
      {pictures.data?.length === 0 && <EmptyState picture="film" title={t('none')} />}
      <SimpleGrid cols={{ base: 1, xs: 2, xl: 3 }} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {pictures.data?.map(({ FilePictureId: id, ThumbURI, IsStandard, ManualUpload }) => (
          <Card key={id} withBorder padding="xs" component="li">
            <img
              className="file-picture"
              src={ownUrl(ThumbURI)}
              alt={IsStandard ? t('poster') : t('picture', { id })}
            />
            <Group justify="space-between" mt="xs" gap="xs">
              <Group gap="xs">
                {IsStandard && (
                  <Badge variant="dot" color="green">
                    {t('poster')}
                  </Badge>
                )}
                <Text size="sm">{ManualUpload ? t('uploaded') : t('taken')}</Text>
              </Group>
              {rights.mayEdit && !IsStandard && (
                <Group gap={4}>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t('chooseThis', { id })}
                    loading={choose.isPending && choose.variables === id}
                    onClick={() => choose.mutate(id)}
                  >
                    {t('choose')}
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t('deleteThis', { id })}
                    onClick={() => setDeleting(id)}
                  >
                    {t('delete')}
                  </Button>
                </Group>
              )}
            </Group>
          </Card>
        ))}
      </SimpleGrid>
      <Confirm
        isOpen={deleting !== null}
        onClose={() => setDeleting(null)}
        title={t('deleteTitle')}
        text={t('deleteText')}
        action={t('delete')}
        onConfirm={async () => {
          if (deleting !== null) await zoetrope.pictures.delete(file.ProjectId, file.Id, deleting)
          await refresh()
        }}
      />
    </Stack>
  )
}
