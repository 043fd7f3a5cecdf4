import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { allProjects } from '../projects/all-projects.ts'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Section } from '../ui/section.tsx'
import { playlistQuery, type Playlist, type PlaylistElement } from './playlist-queries.ts'
import { titleOf, VideoLine } from './video-line.tsx'

const maxFound = 10

const conditionsFor = (text: string) =>
  (['Title', 'Tags', 'OriginalFileName'] as const).map((Field) => ({
    Field,
    Operator: 'contains' as const,
    Value: text,
  }))

const findVideos = async (text: string, projectId: number | null, signal: AbortSignal) => {
  const Conditions = text === '' ? [] : conditionsFor(text)
  const found = await zoetrope.playlists.preview(
    { ProjectId: projectId, Rules: { Match: 'any', Conditions, Limit: maxFound } },
    { signal },
  )
  return found.Elements
}

export const AddVideos = ({ playlist }: { readonly playlist: Playlist }) => {
  const t = useTexts('playlists.playlist')
  const client = useQueryClient()
  const { data: projects = [] } = useQuery(allProjects)
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), 250)
  const [chosen, setChosen] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const projectId = playlist.ProjectId ?? (chosen === null ? null : Number(chosen))
  const { data: found, error } = useQuery({
    queryKey: [...queryKeys.playlists, 'videos', projectId, text],
    queryFn: ({ signal }) => findVideos(text, projectId, signal),
    placeholderData: keepPreviousData,
  })
  const add = useMutation({
    mutationFn: ({ FileId }: PlaylistElement) =>
      zoetrope.playlists.addElements(playlist.Id, { Elements: [FileId] }),
    onSuccess: (changed, video) => {
      client.setQueryData(playlistQuery(playlist.Id).queryKey, changed)
      setSaid(t('added', { title: titleOf(video) }))
    },
  })
  return (
    <Section title={t('add')}>
      <Group align="end">
        <TextInput
          flex={1}
          miw={200}
          type="search"
          label={t('find')}
          leftSection={<IconSearch size={16} aria-hidden />}
          maxLength={500}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {playlist.ProjectId === null && (
          <Select
            flex={{ base: '1 1 100%', xs: '0 1 auto' }}
            label={t('findIn')}
            clearable
            searchable
            placeholder={t('everywhere')}
            value={chosen}
            data={projects.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            onChange={setChosen}
          />
        )}
      </Group>
      <ProblemAlert error={error ?? add.error} />
      {found?.length === 0 && <Text>{t('nothingFound')}</Text>}
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {found?.map((video) => (
          <Group key={video.FileId} component="li" wrap="nowrap">
            <VideoLine video={video} />
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              aria-label={t('addNamed', { title: titleOf(video) })}
              loading={add.isPending && add.variables.FileId === video.FileId}
              onClick={() => add.mutate(video)}
              style={{ flexShrink: 0 }}
            >
              {t('plus')}
            </Button>
          </Group>
        ))}
      </Stack>
      <Text role="status" size="sm">
        {said}
      </Text>
    </Section>
  )
}
