import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shell/texts.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Screen } from '../../ui/screen.tsx'
import { SettingsLayout, type SettingsPart } from '../../ui/layout/settings-layout.tsx'
import { ClientKeySection } from './client-key-section.tsx'
import { partnersQuery } from './partner-queries.ts'
import { ProviderSection } from './provider-section.tsx'
import { SignInSection } from './sign-in-section.tsx'
import { SigningKeysSection } from './signing-keys-section.tsx'

export const PartnersScreen = () => {
  const t = useTexts('account.partners')
  const { data, error, refetch } = useQuery(partnersQuery)
  const provider = data?.IdentityProvider ?? null
  const parts: SettingsPart[] =
    data === undefined
      ? []
      : [
          {
            id: 'provider',
            title: t('connection'),
            ...(provider === null && { description: t('notConnected') }),
            content: <ProviderSection provider={provider} />,
          },
          ...(provider === null
            ? []
            : [
                {
                  id: 'sign-in',
                  title: t('signIn'),
                  content: <SignInSection key={provider.Id} provider={provider} />,
                },
                {
                  id: 'signing-keys',
                  title: t('keys'),
                  description: t('keysExplained'),
                  content: <SigningKeysSection provider={provider} />,
                },
              ]),
          {
            id: 'client-key',
            title: t('clientKey'),
            description: t('clientKeyExplained'),
            content: <ClientKeySection clientKey={data.ClientKey} />,
          },
        ]
  return (
    <Screen title={t('title')} description={t('explained')}>
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={320} maw="64rem" />}
      {data !== undefined && <SettingsLayout parts={parts} />}
    </Screen>
  )
}
