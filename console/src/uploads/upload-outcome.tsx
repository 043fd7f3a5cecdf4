import { Loader, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { faultText } from '../file/file-fault.ts'
import { fileQuery } from '../file/file-query.ts'
import { defineWords } from '../shell/words.ts'

const useWords = defineWords('upload-outcome', {
  en: {
    processing: 'Processing …',
    encoding: 'Processing, {{percent}}\u00A0%',
    playable: 'Playable, encoding continues ({{percent}}\u00A0%)',
    finished: 'Ready',
    degraded: 'Playable, with errors: {{reason}}',
    failed: 'Failed: {{reason}}',
  },
  de: {
    processing: 'Wird verarbeitet …',
    encoding: 'Wird verarbeitet, {{percent}}\u00A0%',
    playable: 'Abspielbar, Encoding läuft noch ({{percent}}\u00A0%)',
    finished: 'Fertig',
    degraded: 'Abspielbar, mit Fehlern: {{reason}}',
    failed: 'Fehlgeschlagen: {{reason}}',
  },
})

export interface UploadedFile {
  readonly projectId: number
  readonly fileId: number
}

const useOutcome = ({ projectId, fileId }: UploadedFile) => {
  const t = useWords()
  const { data: file } = useQuery(fileQuery(projectId, fileId))
  const status = file?.Status ?? 'uploaded'
  const isFailed = status === 'failed' || status === 'degraded'
  const values = { percent: file?.EncodingProgress ?? 0, reason: faultText(file?.ErrorMessage ?? null) }
  const key = status === 'created' || status === 'uploaded' ? 'processing' : status
  return { isFailed, isReady: status === 'finished', text: t(key, values) }
}

export const OutcomeIcon = (uploaded: UploadedFile) => {
  const { isFailed, isReady, text } = useOutcome(uploaded)
  if (isFailed)
    return <IconAlertTriangle size={18} color="var(--mantine-color-error)" role="img" aria-label={text} />
  if (isReady)
    return <IconCheck size={18} color="var(--mantine-color-green-7)" role="img" aria-label={text} />
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
