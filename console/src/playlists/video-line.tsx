import { Center, Group, Image, Stack, Text } from '@mantine/core'
import { IconMovie } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { allProjects } from '../projects/all-projects.ts'
import { useTexts } from '../shell/texts.ts'
import { FileLink } from '../ui/file-link.tsx'
import { formatDuration } from '../ui/format.ts'
import { ownUrl } from '../ui/embed/own-url.ts'
import './playlist.css'
import type { PlaylistElement } from './playlist-queries.ts'

export const titleOf = ({ Title, FileId }: Pick<PlaylistElement, 'Title' | 'FileId'>): string =>
  Title || `#${FileId}`

export const VideoLine = ({ video }: { readonly video: PlaylistElement }) => {
  const t = useTexts('playlists.playlist')
  const { data: projects = [] } = useQuery(allProjects)
  const facts = [
    video.Length === null ? null : formatDuration(video.Length),
    projects.find(({ Id }) => Id === video.ProjectId)?.Name,
    video.IsPlayable ? null : t('notPlayable'),
    video.ReleaseStatus === 'published' ? null : t('notPublished'),
  ].filter(Boolean)
  return (
    <Group gap="sm" wrap="nowrap" flex={1} miw={0}>
      <Center w={80} h={45} className="playlist-thumb">
        {video.ThumbURI === null ? (
          <IconMovie size={20} aria-hidden />
        ) : (
          <Image
            src={ownUrl(video.ThumbURI)}
            alt=""
            w={80}
            h={45}
            radius={4}
            loading="lazy"
            draggable={false}
          />
        )}
      </Center>
      <Stack gap={0} miw={0}>
        <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          <FileLink projectId={video.ProjectId} fileId={video.FileId} inherit draggable={false}>
            {titleOf(video)}
          </FileLink>
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {facts.join(' · ')}
        </Text>
      </Stack>
    </Group>
  )
}
