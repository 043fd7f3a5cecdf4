import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shell/texts.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Screen } from '../../ui/screen.tsx'
import { ClientKeySection } from './client-key-section.tsx'
import { partnersQuery } from './partner-queries.ts'
import { ProviderSection } from './provider-section.tsx'
import { SignInSection } from './sign-in-section.tsx'
import { SigningKeysSection } from './signing-keys-section.tsx'

export const PartnersScreen = () => {
  const t = useTexts('account.partners')
  const { data, error, refetch } = useQuery(partnersQuery)
  return (
    <Screen title={t('title')}>
      <Stack maw={900}>
        <Text>{t('explained')}</Text>
        <ProblemAlert error={error} onRetry={() => void refetch()} />
        {data !== undefined && (
          <>
            <ProviderSection provider={data.IdentityProvider} />
            {data.IdentityProvider !== null && (
              <>
                <SignInSection key={data.IdentityProvider.Id} provider={data.IdentityProvider} />
                <SigningKeysSection provider={data.IdentityProvider} />
              </>
            )}
            <ClientKeySection clientKey={data.ClientKey} />
          </>
        )}
      </Stack>
    </Screen>
  )
}
