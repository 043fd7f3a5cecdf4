import { ActionIcon, FileButton, Button, Group, Progress, Text, Tooltip } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ConnectionError, TimeoutError } from '@zoetrope/sdk'
import { useState, type ReactNode } from 'react'
import { fileQuery } from '../file/file-query.ts'
import { problemText } from '../shell/problem-text.ts'
import { useTexts } from '../shell/texts.ts'
import { FileLink } from '../ui/file-link.tsx'
import { formatBytes } from '../ui/format.ts'
import type { Upload } from './upload-list.ts'
import { UploadPicture } from './upload-picture.tsx'
import { OutcomeIcon, OutcomeText } from './upload-outcome.tsx'
import {
  addUploads,
  cancelUpload,
  isSameFile,
  pauseUpload,
  resumeUpload,
  uploadAnyway,
} from './upload-queue.ts'

const Act = ({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tooltip>
)

export const UploadRow = ({ upload }: { readonly upload: Upload }) => {
  const t = useTexts('uploads.uploadRow')
  const problemWords = useTexts('ui.problem')
  const [isOther, setIsOther] = useState(false)
  const { id, name, state, sentBytes, sizeBytes, error, fileId, projectId, userId } = upload
  // The record also says when a file plays before its upload is complete.
  const { data: record } = useQuery({ ...fileQuery(projectId, fileId ?? 0), enabled: fileId !== null })
  const amounts = { sent: formatBytes(sentBytes), all: formatBytes(sizeBytes) }
  const percent = Math.floor((100 * sentBytes) / Math.max(1, sizeBytes))
  const problem = problemText(problemWords, error)
  const trouble =
    error instanceof ConnectionError || error instanceof TimeoutError
      ? t('unreachable')
      : t('held', { problem })
  const choose = (file: File | null): void => {
    if (file === null) return
    setIsOther(!isSameFile(upload, file))
    if (isSameFile(upload, file)) addUploads(projectId, userId, [file])
  }
  return (
    <li className="upload-row">
      <UploadPicture name={name} file={record} />
      <div className="upload-row-text">
        <Group justify="space-between" wrap="nowrap" gap="xs">
          {fileId !== null && record !== undefined ? (
            <FileLink projectId={projectId} fileId={fileId} size="sm" truncate>
              {name}
            </FileLink>
          ) : (
            <Text size="sm" truncate title={name}>
              {name}
            </Text>
          )}
          <Group gap={2} wrap="nowrap">
            {(state === 'sending' || state === 'waiting') && (
              <Act label={t('pause', { name })} onClick={() => pauseUpload(id)}>
                <IconPlayerPause size={16} aria-hidden />
              </Act>
            )}
            {state === 'paused' && (
              <Act label={t('resume', { name })} onClick={() => void resumeUpload(id)}>
                <IconPlayerPlay size={16} aria-hidden />
              </Act>
            )}
            {state === 'failed' && (
              <Act label={t('again', { name })} onClick={() => void resumeUpload(id)}>
                <IconRefresh size={16} aria-hidden />
              </Act>
            )}
            {state === 'done' ? (
              fileId !== null && <OutcomeIcon projectId={projectId} fileId={fileId} />
            ) : (
              <Act label={t('cancel', { name })} onClick={() => void cancelUpload(id)}>
                <IconX size={16} aria-hidden />
              </Act>
            )}
          </Group>
        </Group>
        {(state === 'sending' || state === 'paused') && (
          <Progress value={percent} size="sm" mt={4} aria-label={name} />
        )}
        {state === 'done' && fileId !== null && <OutcomeText projectId={projectId} fileId={fileId} />}
        {state === 'failed' ? (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {problem}
          </Text>
        ) : (
          (state !== 'done' || fileId === null) && (
            <Text size="xs" c="dimmed" mt={2}>
              {state === 'refused' && sizeBytes === 0 ? t('empty') : t(state, amounts)}
            </Text>
          )
        )}
        {state === 'refused' && sizeBytes > 0 && (
          <Button size="compact-xs" variant="default" mt={4} onClick={() => uploadAnyway(id)}>
            {t('anyway')}
          </Button>
        )}
        {state === 'sending' && error !== null && (
          <Text size="xs" c="var(--mantine-color-error)" role="status">
            {trouble}
          </Text>
        )}
        {state === 'orphaned' && (
          <>
            <FileButton onChange={choose}>
              {(props) => (
                <Button {...props} size="compact-xs" variant="default" mt={4}>
                  {t('choose')}
                </Button>
              )}
            </FileButton>
            {isOther && (
              <Text size="xs" c="var(--mantine-color-error)" role="alert" mt={2}>
                {t('other')}
              </Text>
            )}
          </>
        )}
      </div>
    </li>
  )
}
