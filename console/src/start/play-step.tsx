import { AspectRatio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSession } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { ownUrl } from '../ui/embed/own-url.ts'
import { firstFileQuery, isSample } from './facts.ts'
import { tick } from './kept-ticks.ts'
import { UploadStep } from './upload-step.tsx'

export const PlayStep = () => {
  const t = useTexts('start.playStep')
  const { User } = useSession()
  const frame = useRef<HTMLIFrameElement>(null)
  const { data: file } = useQuery(firstFileQuery)
  useEffect(() => {
    // The player sends events to the embedding page: docs/embed.md.
    const onMessage = ({
      source,
      data,
    }: MessageEvent<{ zoetrope?: unknown; event?: unknown } | null>): void => {
      if (source !== frame.current?.contentWindow || data?.zoetrope !== 1) return
      if (data.event === 'play' || data.event === 'timeupdate') tick(User.Id, ['play'])
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [User.Id])
  if (file === undefined) return null
  const uri = file?.Playouts[0]?.EmbedURI ?? null
  if (file === null || uri === null)
    return (
      <Stack gap="sm" align="flex-start">
        <Text>{t('none')}</Text>
        <UploadStep />
      </Stack>
    )
  return (
    <>
      <Text mb="sm">{t(isSample(file) ? 'about' : 'aboutOwn')}</Text>
      <AspectRatio ratio={16 / 9} maw={520}>
        {/* oxlint-disable-next-line react/iframe-missing-sandbox -- our own page, which needs our origin for what it plays */}
        <iframe
          ref={frame}
          className="start-player"
          src={ownUrl(uri)}
          title={t('player', { title: file.Metadata.Title || file.Name })}
          allow="autoplay; fullscreen; picture-in-picture"
        />
      </AspectRatio>
    </>
  )
}
