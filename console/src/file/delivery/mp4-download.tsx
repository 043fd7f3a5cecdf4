import { ActionIcon, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../shell/texts.ts'

/** Used for answers without `Retry-After`. */
const askAgainMs = 5_000

const waitMs = (answer: Response): number => {
  const seconds = Number(answer.headers.get('retry-after'))
  return seconds > 0 ? seconds * 1_000 : askAgainMs
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })

/**
 * Waits until the server has encoded the whole rendition. Each request asks for one byte, because the answer
 * may be the movie.
 */
const waitUntilEncoded = async (
  url: string,
  signal: AbortSignal,
  onPercent: (percent: number) => void,
): Promise<boolean> => {
  const answer = await fetch(url, { signal, headers: { Range: 'bytes=0-0' } })
  if (answer.status === 202) {
    const { EncodingProgress } = (await answer.json()) as { readonly EncodingProgress: number }
    onPercent(EncodingProgress)
  } else {
    await answer.body?.cancel()
    // Too many rungs of this address, or a busy server: the answer names the time of the next attempt.
    if (answer.status !== 429 && answer.status !== 503) return answer.ok
  }
  await pause(waitMs(answer), signal)
  return waitUntilEncoded(url, signal, onPercent)
}

const save = (url: string): void => {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}

/**
 * Downloads a rendition. One that is encoded on demand is requested whole, and saved as soon as it is there, also
 * when the record calls it complete in the meantime.
 */
export const Mp4Download = ({
  url,
  name,
  isComplete,
}: {
  readonly url: string
  readonly name: string
  readonly isComplete: boolean
}) => {
  const t = useTexts('file.renditions')
  const [percent, setPercent] = useState<number | null>(null)
  const waiting = useRef<AbortController | null>(null)
  useEffect(() => () => waiting.current?.abort(), [])
  const look = { variant: 'subtle', color: 'gray' } as const
  const icon = <IconDownload size={18} aria-hidden />
  const press = async (): Promise<void> => {
    if (waiting.current !== null) return
    const { signal } = (waiting.current = new AbortController())
    setPercent(0)
    const isEncoded = await waitUntilEncoded(url, signal, setPercent).catch(() => false)
    waiting.current = null
    if (signal.aborted) return
    setPercent(null)
    if (isEncoded) save(url)
    else {
      const message = t('notDownloaded', { name })
      notifications.show({ message, color: 'red', role: 'alert', autoClose: false })
    }
  }
  if (percent !== null)
    return (
      <ActionIcon {...look} aria-label={t('preparing', { name, percent })}>
        <Text size="xs" aria-hidden>
          {percent} %
        </Text>
      </ActionIcon>
    )
  if (isComplete)
    return (
      <ActionIcon {...look} component="a" href={url} download aria-label={t('download', { name })}>
        {icon}
      </ActionIcon>
    )
  return (
    <ActionIcon {...look} aria-label={t('prepare', { name })} onClick={() => void press()}>
      {icon}
    </ActionIcon>
  )
}
