import { ActionIcon, Popover, Text, TextInput, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../shell/texts.ts'

/** Pages without https have no clipboard API, but `execCommand`. False = the browser refuses. */
export const copyText = async (text: string): Promise<boolean> => {
  if ('clipboard' in navigator)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}

const shownMs = 2_000

export const CopyButton = ({
  text,
  label,
  onCopied,
}: {
  readonly text: string
  readonly label?: string
  readonly onCopied?: (() => void) | undefined
}) => {
  const t = useTexts('ui.copy')
  const [state, setState] = useState<'copied' | 'refused' | null>(null)
  const isCopied = state === 'copied'
  const name = label ?? t('copy')
  const press = async (): Promise<void> => {
    if (!(await copyText(text))) {
      setState('refused')
      return
    }
    setState('copied')
    onCopied?.()
    setTimeout(() => setState(null), shownMs)
  }
  return (
    <Popover
      opened={state === 'refused'}
      onDismiss={() => setState(null)}
      trapFocus
      returnFocus
      withRoles={false}
      withArrow
      width={320}
    >
      <Popover.Target>
        <Tooltip label={isCopied ? t('copied') : name}>
          <ActionIcon variant="subtle" color="gray" aria-label={name} onClick={() => void press()}>
            {isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" role="alert" mb="xs">
          {t('refused')}
        </Text>
        <TextInput
          aria-label={name}
          readOnly
          value={text}
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
