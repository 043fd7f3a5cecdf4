import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shell/texts.ts'
import { Screen } from '../../ui/screen.tsx'
import { Section } from '../../ui/section.tsx'
import { SessionList } from '../session-list.tsx'
import '../account.css'
import { ChangePassword } from './change-password.tsx'
import { factorsQuery } from './factor-queries.ts'
import { FactorSections } from './factor-sections.tsx'

export const SecurityScreen = () => {
  const t = useTexts('account.security')
  const { data: factors, isPending } = useQuery(factorsQuery)
  return (
    <Screen title={t('title')}>
      {factors?.CanAdd === false && <Text>{t('byProvider')}</Text>}
      {isPending ? (
        <Skeleton height={480} />
      ) : (
        <div className="account-columns">
          <div>
            <FactorSections />
          </div>
          <div>
            <ChangePassword />
            <Section title={t('sessions')}>
              <SessionList userId={null} />
            </Section>
          </div>
        </div>
      )}
    </Screen>
  )
}
