import { AspectRatio, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSession } from '../shell/session.ts'
import { defineWords } from '../shell/words.ts'
import { ownUrl } from '../ui/own-url.ts'
import { firstFileQuery } from './facts.ts'
import { tick } from './kept-ticks.ts'
import './start.css'

const useWords = defineWords('play-step', {
  en: {
    about:
      'Zoetrope has rendered and encoded it on its first start. This is the player that your viewers get.',
    player: 'Player: {{title}}',
    none: 'There is no video yet. Upload one: it plays a moment after its last byte.',
  },
  de: {
    about:
      'Zoetrope hat es beim ersten Start selbst erzeugt und encodiert. Das ist der Player, den Ihr Publikum bekommt.',
    player: 'Player: {{title}}',
    none: 'Es gibt noch kein Video. Laden Sie eines hoch: Es läuft einen Augenblick nach dem letzten Byte.',
  },
})

export const PlayStep = () => {
  const t = useWords()
  const { User } = useSession()
  const frame = useRef<HTMLIFrameElement>(null)
  const { data: file } = useQuery(firstFileQuery)
  useEffect(() => {
    // The player tells the page around it: docs/embed.md.
    const hear = ({ source, data }: MessageEvent<{ zoetrope?: unknown; event?: unknown } | null>): void => {
      if (source !== frame.current?.contentWindow || data?.zoetrope !== 1) return
      if (data.event === 'play' || data.event === 'timeupdate') tick(User.Id, ['play'])
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [User.Id])
  if (file === undefined) return null
  const uri = file?.Playouts[0]?.EmbedURI ?? null
  if (file === null || uri === null) return <Text>{t('none')}</Text>
  return (
    <>
      <Text mb="sm">{t('about')}</Text>
      <AspectRatio ratio={16 / 9} maw={640}>
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
