import { List, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { allProjects } from '../../projects/all-projects.ts'
import { useSession } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { Screen } from '../../ui/screen.tsx'
import { Section } from '../../ui/section.tsx'
import { ChangeName } from './change-name.tsx'
import { ChangePassword } from './change-password.tsx'
import { SessionList } from '../session-list.tsx'

export const ProfileScreen = () => {
  const t = useTexts('account.profile')
  const roleWords = useTexts('account.roles')
  const { User, Account } = useSession()
  const { data: projects = [] } = useQuery(allProjects)
  const facts = [
    [t('email'), User.Email],
    [t('account'), Account.Name],
    [t('role'), roleWords(User.Role)],
  ] as const
  return (
    <Screen title={t('title')}>
      <Stack maw={760}>
        <Section title={t('you')}>
          <ChangeName />
          <Table variant="vertical" withRowBorders={false} aria-label={t('you')}>
            <Table.Tbody>
              {facts.map(([label, value]) => (
                <Table.Tr key={label}>
                  <Table.Th scope="row" w="40%">
                    {label}
                  </Table.Th>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {User.ProjectRoles.length > 0 && (
            <List>
              {User.ProjectRoles.map(({ ProjectId, Role }) => (
                <List.Item key={ProjectId}>
                  {t('inProject', {
                    role: roleWords(Role),
                    project: projects.find(({ Id }) => Id === ProjectId)?.Name ?? ProjectId,
                  })}
                </List.Item>
              ))}
            </List>
          )}
          <Text size="sm" c="dimmed">
            {t('change')}
          </Text>
        </Section>
        <ChangePassword />
        <Section title={t('sessions')}>
          <SessionList userId={null} />
        </Section>
      </Stack>
    </Screen>
  )
}
