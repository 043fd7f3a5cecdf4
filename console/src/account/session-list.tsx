import { Badge, Button, Group, List, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { formatTime } from '../ui/format.ts'
import { useAgo } from '../ui/relative-time.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { sessionsOf } from './account-queries.ts'
import { browserOf } from './browser-name.ts'

/** Sessions of a user. Null = the signed-in user. */
export const SessionList = ({ userId }: { readonly userId: number | null }) => {
  const t = useTexts('account.sessionList')
  const ago = useAgo()
  const client = useQueryClient()
  const { data, error } = useQuery(sessionsOf(userId))
  const end = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      if (userId === null && ids.length > 1) await zoetrope.sessions.endOthers()
      else for (const id of ids) await zoetrope.sessions.end(id)
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
        {(data ?? []).map(({ Id, IsCurrent, Address, UserAgent, SignInMethod, CreatedAt, LastUsedAt }) => (
          <List.Item key={Id}>
            <Group justify="space-between" wrap="nowrap">
              <div>
                <Text fw={500}>
                  {titleOf(UserAgent)} {IsCurrent && <Badge variant="outline">{t('here')}</Badge>}
                </Text>
                <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {t('detail', {
                    address: Address,
                    method: t(SignInMethod),
                    since: formatTime(CreatedAt),
                    used: ago(LastUsedAt),
                  })}
                </Text>
              </div>
              {!IsCurrent && (
                <Button
                  size="compact-sm"
                  variant="default"
                  flex="none"
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
