import { Anchor, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { User } from './account-queries.ts'
import { SessionList } from './session-list.tsx'
import { defineWords } from '../shell/words.ts'
import { formatNumber } from '../ui/format.ts'

const useWords = defineWords('user-access', {
  en: {
    keys: 'API keys',
    none: 'No API keys.',
    show_one: 'Show {{shown}} API key',
    show_other: 'Show {{shown}} API keys',
  },
  de: {
    keys: 'API-Schlüssel',
    none: 'Keine API-Schlüssel.',
    show_one: '{{shown}} API-Schlüssel zeigen',
    show_other: '{{shown}} API-Schlüssel zeigen',
  },
})

export const UserAccess = ({ user }: { readonly user: User }) => {
  const t = useWords()
  const { ApiKeyCount: count } = user
  return (
    <Stack>
      <SessionList userId={user.Id} />
      <Title order={3} size="h5">
        {t('keys')}
      </Title>
      {count === 0 ? (
        <Text>{t('none')}</Text>
      ) : (
        <Anchor
          renderRoot={(props) => <Link {...props} to="/api-keys" search={{ userId: String(user.Id) }} />}
        >
          {t('show', { count, shown: formatNumber(count) })}
        </Anchor>
      )}
    </Stack>
  )
}
