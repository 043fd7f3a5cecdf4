import { Anchor, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../shell/texts.ts'
import type { User } from '../account-queries.ts'
import { SessionList } from '../session-list.tsx'
import { formatNumber } from '../../ui/format.ts'

export const UserAccess = ({ user }: { readonly user: User }) => {
  const t = useTexts('account.userAccess')
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
