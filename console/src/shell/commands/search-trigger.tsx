import './commands.css'
import { Kbd, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTexts } from '../texts.ts'
import { isApple } from './shortcuts.ts'

export const SearchTrigger = ({ onPress }: { readonly onPress: () => void }) => {
  const t = useTexts('shell.palette')
  const shortcuts = useTexts('shell.shortcuts')
  return (
    <UnstyledButton
      className="search-trigger"
      aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
      onClick={onPress}
    >
      <IconSearch size={16} aria-hidden />
      <span>{t('trigger')}</span>
      <Kbd size="xs" visibleFrom="md" aria-hidden>
        {isApple ? '⌘' : shortcuts('control')} K
      </Kbd>
    </UnstyledButton>
  )
}
