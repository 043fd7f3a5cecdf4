import { ActionIcon, Button, Popover, Text, TextInput, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useTexts } from '../shell/texts.ts'
import { ExistingTarget } from './menu/existing-target.tsx'
import './styles/copy-button.css'

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

/** An icon, or a button with its label. */
export const CopyButton = ({
  text,
  label,
  icon = <IconCopy size={16} aria-hidden />,
  isLabelled = false,
  onCopied,
}: {
  readonly text: string
  readonly label?: string
  readonly icon?: ReactNode
  readonly isLabelled?: boolean
  readonly onCopied?: (() => void) | undefined
}) => {
  const t = useTexts('ui.copy')
  const [state, setState] = useState<'copied' | 'refused' | null>(null)
  const isCopied = state === 'copied'
  const name = label ?? t('copy')
  const shownIcon = isCopied ? <IconCheck size={16} aria-hidden /> : icon
  // Most buttons need no popover, and it costs more than the button.
  const [refused, setRefused] = useState<HTMLElement | null>(null)
  const press = async (button: HTMLElement): Promise<void> => {
    if (!(await copyText(text))) {
      // A popover that is open from its first render would not return the focus.
      flushSync(() => setRefused(button))
      setState('refused')
      return
    }
    setState('copied')
    onCopied?.()
    setTimeout(() => setState(null), shownMs)
  }
  return (
    <>
      {isLabelled ? (
        <Button
          variant="default"
          leftSection={shownIcon}
          onClick={({ currentTarget }) => void press(currentTarget)}
        >
          <span className="copy-label">
            <span data-hidden={isCopied}>{name}</span>
            <span data-hidden={!isCopied}>{t('copied')}</span>
          </span>
        </Button>
      ) : (
        <Tooltip label={isCopied ? t('copied') : name}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={name}
            onClick={({ currentTarget }) => void press(currentTarget)}
          >
            {shownIcon}
          </ActionIcon>
        </Tooltip>
      )}
      {refused !== null && (
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
            <ExistingTarget element={refused} />
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
      )}
    </>
  )
}
