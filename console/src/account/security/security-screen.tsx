import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shell/texts.ts'
import { Screen } from '../../ui/screen.tsx'
import { Section } from '../../ui/section.tsx'
import { SessionList } from '../session-list.tsx'
import { ChangePassword } from './change-password.tsx'
import { factorsQuery } from './factor-queries.ts'
import { FactorSections } from './factor-sections.tsx'

export const SecurityScreen = () => {
  const t = useTexts('account.security')
  const { data: factors } = useQuery(factorsQuery)
  return (
    <Screen title={t('title')}>
      <Stack maw={760}>
        {factors?.CanAdd === false && <Text>{t('byProvider')}</Text>}
        <FactorSections />
        <ChangePassword />
        <Section title={t('sessions')}>
          <SessionList userId={null} />
        </Section>
      </Stack>
    </Screen>
  )
}
