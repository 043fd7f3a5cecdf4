import { List, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { allProjects } from '../../projects/all-projects.ts'
import { useLetterKeys } from '../../shell/commands/letter-keys.ts'
import { useSession } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { FactsTable } from '../../ui/lists/facts-table.tsx'
import { Screen } from '../../ui/screen.tsx'
import { Section } from '../../ui/section.tsx'
import '../account.css'
import { ChangeName } from './change-name.tsx'

export const ProfileScreen = () => {
  const t = useTexts('account.profile')
  const roleWords = useTexts('account.roles')
  const { User, Account } = useSession()
  const [hasLetterKeys, setLetterKeys] = useLetterKeys()
  const { data: projects = [] } = useQuery(allProjects)
  const facts = [
    [t('email'), User.Email],
    [t('account'), Account.Name],
    [t('role'), roleWords(User.Role)],
  ] as const
  return (
    <Screen title={t('title')}>
      <div className="account-columns">
        <div>
          <Section title={t('you')}>
            <ChangeName />
          </Section>
          <Section title={t('keys')}>
            <Switch
              label={t('letterKeys')}
              description={t('letterKeysExplained')}
              checked={hasLetterKeys}
              onChange={(event) => setLetterKeys(event.currentTarget.checked)}
            />
          </Section>
        </div>
        <Section title={t('access')} description={t('change')}>
          <FactsTable label={t('access')} facts={facts} />
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
        </Section>
      </div>
    </Screen>
  )
}
