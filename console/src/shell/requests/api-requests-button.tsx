import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { useTexts } from '../texts.ts'

export const ApiRequestsButton = ({ onPress }: { readonly onPress: () => void }) => {
  const t = useTexts('shell.apiRequests')
  return (
    <Tooltip label={t('button')}>
      <ActionIcon variant="subtle" color="gray" size="input-sm" aria-label={t('button')} onClick={onPress}>
        <IconCode size={18} stroke={1.75} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
