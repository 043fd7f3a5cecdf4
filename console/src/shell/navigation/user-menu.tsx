import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import { IconChecklist, IconLogout, IconSelector, IconShieldLock, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSession } from '../session.ts'
import { useSignOut } from '../sign-in/sign-out.tsx'
import { currentLanguage, languages, setLanguage, useTexts } from '../texts.ts'

const languageNames = { en: 'English', de: 'Deutsch' } as const

export const UserMenu = () => {
  const t = useTexts('shell.userMenu')
  const { User, Account } = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { signOut, question } = useSignOut()
  const name = User.Name || User.Email
  return (
    <>
      {question}
      <Menu position="top-start" width={240}>
        <Menu.Target>
          <UnstyledButton className="user-button">
            <Avatar size={28} radius="xl" name={name} color="accent" variant="filled" aria-hidden />
            <span className="user-button-text">
              <Text component="span" size="sm" fw={550} truncate display="block">
                <VisuallyHidden>{`${t('label')}: `}</VisuallyHidden>
                {name}
              </Text>
              <Text component="span" size="xs" c="dimmed" truncate display="block">
                {Account.Name}
              </Text>
            </span>
            <IconSelector size={14} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconUser size={16} aria-hidden />} component={Link} to="/profile">
            {t('profile')}
          </Menu.Item>
          <Menu.Item leftSection={<IconShieldLock size={16} aria-hidden />} component={Link} to="/security">
            {t('security')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconChecklist size={16} aria-hidden />}
            renderRoot={(props) => <Link {...props} to="/" search={{ steps: 'shown' }} />}
          >
            {t('firstSteps')}
          </Menu.Item>
          <Menu.Item component="a" href="/docs" target="_blank">
            {t('docs')}
          </Menu.Item>
          <Menu.Item component="a" href="/reference" target="_blank">
            {t('reference')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>{t('look')}</Menu.Label>
          <Menu.RadioGroup
            value={colorScheme}
            onChange={(value) => setColorScheme(value === 'light' || value === 'dark' ? value : 'auto')}
          >
            {(['light', 'dark', 'auto'] as const).map((value) => (
              <Menu.RadioItem key={value} value={value}>
                {t(value)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Label>{t('language')}</Menu.Label>
          <Menu.RadioGroup
            value={currentLanguage()}
            onChange={(value) => {
              const language = languages.find((one) => one === value)
              if (language !== undefined) void setLanguage(language)
            }}
          >
            {languages.map((language) => (
              <Menu.RadioItem key={language} value={language} lang={language}>
                {languageNames[language]}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
            {t('signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
