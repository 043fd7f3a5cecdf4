import { Anchor, Kbd, Modal, SimpleGrid, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../texts.ts'
import { useDestinations } from '../navigation/destinations.ts'
import { isApple } from './shortcuts.ts'

const Line = ({ keys, label }: { readonly keys: readonly string[]; readonly label: string }) => (
  <div className="shortcut">
    <dt>{label}</dt>
    <dd>
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
    </dd>
  </div>
)

export const ShortcutsDialog = ({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) => {
  const t = useTexts('shell.shortcuts')
  const destinations = useDestinations()
  const control = isApple ? '⌘' : t('control')
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('title')} size="lg">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        <Stack gap="xs">
          <Text fw={600}>{t('everywhere')}</Text>
          <dl className="shortcuts">
            <Line keys={[control, 'K']} label={t('palette')} />
            <Line keys={['/']} label={t('search')} />
            <Line keys={[control, 'S']} label={t('save')} />
            <Line keys={['?']} label={t('title')} />
          </dl>
          <Text fw={600} mt="sm">
            {t('lists')}
          </Text>
          <dl className="shortcuts">
            <Line keys={['↑', '↓']} label={t('move')} />
            <Line keys={['↵']} label={t('open')} />
            <Line keys={['X']} label={t('select')} />
          </dl>
        </Stack>
        <Stack gap="xs">
          <Text fw={600}>{t('goTo')}</Text>
          <dl className="shortcuts">
            {destinations.map(
              ({ to, label, jump }) =>
                jump !== undefined && <Line key={to} keys={['G', jump.toUpperCase()]} label={label} />,
            )}
          </dl>
        </Stack>
      </SimpleGrid>
      <Text size="sm" c="dimmed" mt="lg">
        {t('switch')}{' '}
        <Anchor component={Link} to="/profile" inherit underline="always" onClick={onClose}>
          {t('profile')}
        </Anchor>
      </Text>
    </Modal>
  )
}
