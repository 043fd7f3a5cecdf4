import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { formatDuration } from '../../ui/format.ts'
import type { Playlist } from '../playlist-queries.ts'
import { VideoLine } from '../video-line.tsx'

const shownAtFirst = 20

export const FoundVideos = ({
  found: { ElementCount, TotalLength, Elements },
}: {
  readonly found: Pick<Playlist, 'ElementCount' | 'TotalLength' | 'Elements'>
}) => {
  const t = useTexts('playlists.playlist')
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? Elements : Elements.slice(0, shownAtFirst)
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {t('total', { count: ElementCount, length: formatDuration(TotalLength) })}
      </Text>
      {ElementCount === 0 && <Text>{t('emptyByRules')}</Text>}
      <Stack component="ol" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {shown.map((element) => (
          <li key={element.FileId}>
            <VideoLine video={element} />
          </li>
        ))}
      </Stack>
      {shown.length < Elements.length && (
        <Button variant="default" onClick={() => setIsWhole(true)}>
          {t('showAll', { count: Elements.length })}
        </Button>
      )}
    </>
  )
}
