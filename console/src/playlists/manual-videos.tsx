import { Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTexts } from '../shell/texts.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { formatDuration } from '../ui/format.ts'
import { keepRowFocus, watchRowFocus } from '../ui/hooks/row-focus.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Section } from '../ui/section.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { moved, placesOf, type Place } from './playlist-order.ts'
import { playlistQuery, type Playlist } from './playlist-queries.ts'
import { SortableVideos } from './sortable-videos.tsx'
import './playlist.css'
import { usePlaylistChange } from './use-playlist-change.ts'
import { titleOf, VideoLine } from './video-line.tsx'

watchRowFocus()

const idsOf = (places: readonly Place[]): number[] => places.map(({ element }) => element.FileId)

/** The videos in manual order. Changes are saved immediately. */
export const ManualVideos = ({
  playlist,
  mayWrite,
}: {
  readonly playlist: Playlist
  readonly mayWrite: boolean
}) => {
  const t = useTexts('playlists.playlist')
  const { undoable } = useToasts()
  const client = useQueryClient()
  const change = usePlaylistChange(playlist)
  const [said, setSaid] = useState('')
  const stored = useMemo(() => placesOf(playlist.Elements), [playlist.Elements])
  // Optimistic update until the server responds.
  const [wanted, setWanted] = useState<readonly Place[] | null>(null)
  const places = wanted ?? stored
  /** Returns whether the server has accepted it. `change.error` shows why not. */
  const keep = async (next: readonly Place[]): Promise<boolean> => {
    setWanted(next)
    const isKept = await change.mutateAsync({ Elements: idsOf(next) }).then(
      () => true,
      () => false,
    )
    setWanted((now) => (now === next ? null : now))
    return isKept
  }
  const move = (from: number, to: number): void => {
    if (from === to) return
    void keep(moved(places, from, to))
  }
  const step = (from: number, to: number): void => {
    const place = places[from]
    if (place === undefined) return
    move(from, to)
    setSaid(t('movedTo', { title: titleOf(place.element), place: to + 1, count: places.length }))
  }
  const remove = async (index: number): Promise<void> => {
    const place = places[index]
    if (place === undefined) return
    const { FileId } = place.element
    const before = idsOf(places)
    const count = (ids: readonly number[]): number => ids.filter((id) => id === FileId).length
    keepRowFocus()
    if (!(await keep(places.toSpliced(index, 1)))) return
    undoable(t('removed', { title: titleOf(place.element) }), () => {
      // Later changes of the list stay.
      const now = client.getQueryData(playlistQuery(playlist.Id).queryKey)
      const ids = now === undefined ? before : now.Elements.map((element) => element.FileId)
      // The video is still there until the removal has ended.
      const Elements = count(ids) < count(before) ? ids.toSpliced(index, 0, FileId) : ids
      return change.mutateAsync({ Elements })
    })
  }
  return (
    <Section title={t('videos')}>
      {places.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('total', { count: places.length, length: formatDuration(playlist.TotalLength) })}
        </Text>
      )}
      <ProblemAlert error={change.error} />
      {places.length === 0 && (
        <EmptyState picture="film" title={t('empty')}>
          {t('emptyAdvice')}
        </EmptyState>
      )}
      {mayWrite ? (
        <SortableVideos
          places={places}
          onMove={move}
          onStep={step}
          onRemove={(index) => void remove(index)}
        />
      ) : (
        <Stack component="ol" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
          {places.map(({ id, element }) => (
            <li key={id}>
              <VideoLine video={element} />
            </li>
          ))}
        </Stack>
      )}
      <Text role="status" className="playlist-said">
        {said}
      </Text>
    </Section>
  )
}
