import { Loader, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { faultText } from '../file/file-fault.ts'
import { fileQuery } from '../file/file-query.ts'
import { useTexts } from '../shell/texts.ts'

export interface UploadedFile {
  readonly projectId: number
  readonly fileId: number
}

const useOutcome = ({ projectId, fileId }: UploadedFile) => {
  const t = useTexts('uploads.uploadOutcome')
  const { data: file } = useQuery(fileQuery(projectId, fileId))
  const status = file?.Status ?? 'uploaded'
  const isFailed = status === 'failed' || status === 'degraded'
  const values = { percent: file?.EncodingProgress ?? 0, reason: file === undefined ? '' : faultText(file) }
  const key = status === 'created' || status === 'uploaded' ? 'processing' : status
  return { isFailed, isReady: status === 'finished', text: t(key, values) }
}

export const OutcomeIcon = (uploaded: UploadedFile) => {
  const { isFailed, isReady, text } = useOutcome(uploaded)
  if (isFailed)
    return <IconAlertTriangle size={18} color="var(--mantine-color-error)" role="img" aria-label={text} />
  if (isReady) return <IconCheck size={18} color="var(--tone-ok)" role="img" aria-label={text} />
  return <Loader size={16} role="img" aria-label={text} />
}

export const OutcomeText = (uploaded: UploadedFile) => {
  const { isFailed, text } = useOutcome(uploaded)
  return (
    <Text
      size="xs"
      mt={2}
      c={isFailed ? 'var(--mantine-color-error)' : 'dimmed'}
      style={{ overflowWrap: 'anywhere' }}
    >
      {text}
    </Text>
  )
}
