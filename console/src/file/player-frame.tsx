import type { MediaFile } from '@zoetrope/sdk'
import { AspectRatio, Center, Stack, Text } from '@mantine/core'
import { IconMusic, IconPlayerPlay, IconVideoOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTexts } from '../shell/texts.ts'
import { ownUrl } from '../ui/embed/own-url.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import './file.css'
import { playoutQuery } from './file-query.ts'
import type { PlayerLink } from './player-link.ts'

/** Wide videos keep their aspect ratio; the height of tall ones is limited. */
const ratioOf = ({ Properties }: MediaFile): number => {
  const { VideoWidth, VideoHeight } = Properties ?? {}
  return VideoWidth != null && VideoHeight != null && VideoHeight > 0
    ? Math.max(VideoWidth / VideoHeight, 1)
    : 16 / 9
}

export const PlayerFrame = ({
  file,
  link,
  start = 'preload',
}: {
  readonly file: MediaFile
  readonly link: PlayerLink
  readonly start?: 'preload' | 'autoplay'
}) => {
  const t = useTexts('file.player')
  const { data: playout, error, refetch } = useQuery({ ...playoutQuery(file), enabled: file.IsPlayable })
  const uri = file.IsPlayable ? playout?.Preview.EmbedURI : null
  // Signed links change hourly: a new link must not interrupt playback.
  const [shown, setShown] = useState<string | null>(null)
  if (shown === null && uri != null) setShown(`${ownUrl(uri)}?${start}=1`)
  useEffect(() => {
    addEventListener('message', link.receive)
    return () => removeEventListener('message', link.receive)
  }, [link])
  if (error !== null && shown === null) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  const isOver = file.IsFinished && !file.IsPlayable
  const Icon = isOver ? IconVideoOff : file.Properties?.VideoFormat === null ? IconMusic : IconPlayerPlay
  return (
    <AspectRatio ratio={ratioOf(file)}>
      {shown === null ? (
        <Center className="file-no-player">
          <Stack align="center" p="md" gap="xs">
            <Icon size={40} aria-hidden />
            <Text size="sm" ta="center">
              {isOver ? t('nothing') : t('waiting')}
            </Text>
          </Stack>
        </Center>
      ) : (
        // oxlint-disable-next-line react/iframe-missing-sandbox -- our own page, which needs our origin for what it plays
        <iframe
          ref={(frame) => link.attach(frame)}
          src={shown}
          title={t('player', { title: file.Metadata.Title || file.Name })}
          allow="autoplay; fullscreen; picture-in-picture"
          className="file-player"
        />
      )}
    </AspectRatio>
  )
}
