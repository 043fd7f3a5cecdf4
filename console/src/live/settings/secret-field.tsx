import { ActionIcon, Group, TextInput, Tooltip } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { CopyButton } from '../../ui/copy-button.tsx'

const covered = '••••••••••••••••'

/** Hides the secret that permits publishing, for example from bystanders and screen recordings. */
export const SecretField = ({
  label,
  value,
}: {
  readonly label: string
  /** Null for users who may not see it. */
  readonly value: string | null
}) => {
  const t = useTexts('live.secretField')
  const [isShown, setIsShown] = useState(false)
  if (value === null) return <TextInput readOnly label={label} value={covered} description={t('hidden')} />
  const act = t(isShown ? 'hide' : 'show', { label })
  return (
    <TextInput
      readOnly
      label={label}
      value={isShown ? value : covered}
      rightSectionWidth="calc(2 * var(--control-height) + 0.5rem)"
      rightSection={
        <Group gap={2} wrap="nowrap">
          <Tooltip label={act}>
            <ActionIcon variant="subtle" color="gray" aria-label={act} onClick={() => setIsShown(!isShown)}>
              {isShown ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />}
            </ActionIcon>
          </Tooltip>
          <CopyButton text={value} label={t('copy', { label })} />
        </Group>
      }
    />
  )
}
