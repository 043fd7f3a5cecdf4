import { Badge, Button, Group, List, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { defineWords } from '../shell/words.ts'
import { formatAgo, formatTime } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { sessionsOf } from './account-queries.ts'
import { browserOf } from './browser-name.ts'

const useWords = defineWords('session-list', {
  en: {
    none: 'Signed in nowhere.',
    here: 'This browser',
    detail: '{{address}}, since {{since}}, last used {{used}}',
    end: 'End',
    endOf: 'End the session of {{browser}}, {{address}}',
    endOthers: 'End all others',
    unknown: 'Unknown browser',
    on: '{{browser}} on {{system}}',
  },
  de: {
    none: 'Nirgends angemeldet.',
    here: 'Dieser Browser',
    detail: '{{address}}, seit {{since}}, zuletzt benutzt {{used}}',
    end: 'Beenden',
    endOf: 'Sitzung von {{browser}}, {{address}} beenden',
    endOthers: 'Alle anderen beenden',
    unknown: 'Unbekannter Browser',
    on: '{{browser}} unter {{system}}',
  },
})

/** Sessions of a user. Null = the signed-in user. */
export const SessionList = ({ userId }: { readonly userId: number | null }) => {
  const t = useWords()
  const client = useQueryClient()
  const { data, error } = useQuery(sessionsOf(userId))
  const end = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await zoetrope.sessions.end(id)
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.sessions }),
  })
  const others = (data ?? []).filter(({ IsCurrent }) => !IsCurrent)
  const titleOf = (userAgent: string): string => {
    const { browser, system } = browserOf(userAgent)
    if (browser === null) return userAgent.slice(0, 60) || t('unknown')
    return system === null ? browser : t('on', { browser, system })
  }
  return (
    <Stack>
      <ProblemAlert error={error ?? end.error} />
      {data?.length === 0 && <Text>{t('none')}</Text>}
      <List
        listStyleType="none"
        spacing="sm"
        styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
      >
        {(data ?? []).map(({ Id, IsCurrent, Address, UserAgent, CreatedAt, LastUsedAt }) => (
          <List.Item key={Id}>
            <Group justify="space-between" wrap="nowrap">
              <div>
                <Text fw={500}>
                  {titleOf(UserAgent)} {IsCurrent && <Badge variant="outline">{t('here')}</Badge>}
                </Text>
                <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {t('detail', {
                    address: Address,
                    since: formatTime(CreatedAt),
                    used: formatAgo(LastUsedAt),
                  })}
                </Text>
              </div>
              {!IsCurrent && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('endOf', { browser: titleOf(UserAgent), address: Address })}
                  disabled={end.isPending}
                  onClick={() => end.mutate([Id])}
                >
                  {t('end')}
                </Button>
              )}
            </Group>
          </List.Item>
        ))}
      </List>
      {others.length > 1 && (
        <Group>
          <Button
            variant="default"
            loading={end.isPending}
            onClick={() => end.mutate(others.map(({ Id }) => Id))}
          >
            {t('endOthers')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
