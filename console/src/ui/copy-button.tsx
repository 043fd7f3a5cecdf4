import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../shell/texts.ts'

/** Pages without https have no clipboard API, but `execCommand`. */
const copy = async (text: string): Promise<void> => {
  if ('clipboard' in navigator) {
    await navigator.clipboard.writeText(text)
    return
  }
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
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
  const [isCopied, setIsCopied] = useState(false)
  const name = label ?? t('copy')
  const press = async (): Promise<void> => {
    await copy(text)
    setIsCopied(true)
    onCopied?.()
    setTimeout(() => setIsCopied(false), shownMs)
  }
  return (
    <Tooltip label={isCopied ? t('copied') : name}>
      <ActionIcon variant="subtle" color="gray" aria-label={name} onClick={() => void press()}>
        {isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  )
}
