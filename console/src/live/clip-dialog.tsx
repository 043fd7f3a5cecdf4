import { Button, Chip, Group, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { FileLink } from '../ui/file-link.tsx'
import { DialogForm } from '../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../ui/forms/use-save-form.ts'
import { formatDuration } from '../ui/format.ts'
import { secondsSince } from './elapsed.ts'
import type { LiveIngest, LiveStatus } from './live-queries.ts'
import { useNow } from './use-now.ts'

const lengths = [15, 30, 60] as const
const longestSeconds = 3_600
/** Media in memory without a DVR window. */
const leastReachSeconds = 30

/** Latency and reaction time: the scene that the user saw started before the button press. */
const reactionSeconds = 2

interface ClipProps {
  readonly status: LiveStatus
  readonly ingest: LiveIngest
  readonly onClose: () => void
}

/** Remembers the start of a scene, because the user may close the dialog before its end. */
export const ClipDialog = ({ isOpen, ...props }: ClipProps & { readonly isOpen: boolean }) => {
  const t = useTexts('live.clip')
  const [begunAt, setBegunAt] = useState<number | null>(null)
  return (
    <Modal opened={isOpen} onClose={props.onClose} title={t('title')}>
      <ClipForm {...props} begunAt={begunAt} onBegin={() => setBegunAt(Date.now())} />
    </Modal>
  )
}

const ClipForm = ({
  status: { OnlineSince },
  ingest: { ProjectId, TimeshiftDuration, Title: streamTitle },
  onClose,
  begunAt,
  onBegin,
}: ClipProps & { readonly begunAt: number | null; readonly onBegin: () => void }) => {
  const t = useTexts('live.clip')
  const client = useQueryClient()
  const now = useNow()
  const windowSeconds = Math.max(TimeshiftDuration, leastReachSeconds)
  const onlineSeconds = OnlineSince === null ? 0 : secondsSince(OnlineSince, now)
  const sinceMark = (): number =>
    Math.min(longestSeconds, Math.ceil((Date.now() - (begunAt ?? 0)) / 1_000) + reactionSeconds)
  const form = useSaveForm({
    // Duration 0 = from the mark.
    initialValues: { Duration: 30, Title: '' },
    save: ({ Duration, Title }) =>
      zoetrope.live.clip(ProjectId, {
        Duration: begunAt !== null && Duration === 0 ? sinceMark() : Duration,
        Title: Title === '' ? null : Title,
      }),
    onSaved: async (file) => {
      onClose()
      notifications.show({
        autoClose: 15_000,
        message: (
          <FileLink projectId={ProjectId} fileId={file.Id}>
            {t('kept', { title: file.Metadata.Title || streamTitle || file.Name })}
          </FileLink>
        ),
      })
      await client.invalidateQueries({ queryKey: queryKeys.live(ProjectId) })
    },
  })
  return (
    <DialogForm form={form} action={t('keep')} onCancel={onClose}>
      <Stack>
        <Text size="sm">{t('explained')}</Text>
        <Group gap="xs">
          {lengths.map((seconds) => (
            <Chip
              key={seconds}
              variant="outline"
              checked={form.values.Duration === seconds}
              onChange={() => form.setFieldValue('Duration', seconds)}
            >
              {t('last', { seconds })}
            </Chip>
          ))}
        </Group>
        <Group align="end">
          <NumberInput
            label={t('seconds')}
            min={1}
            max={longestSeconds}
            allowDecimal={false}
            data-autofocus
            {...form.getInputProps('Duration')}
            value={form.values.Duration === 0 ? '' : form.values.Duration}
            onChange={(value) => form.setFieldValue('Duration', typeof value === 'number' ? value : 0)}
          />
          <Button
            variant="default"
            onClick={() => {
              onBegin()
              form.setFieldValue('Duration', 0)
            }}
          >
            {t(begunAt === null ? 'begin' : 'again')}
          </Button>
        </Group>
        {begunAt !== null && (
          <Text size="sm" role="status">
            {t('begun', { duration: formatDuration(Math.max(0, now - begunAt) / 1_000) })}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {t('reach', { duration: formatDuration(Math.min(windowSeconds, onlineSeconds)) })}
          {onlineSeconds >= windowSeconds && ` ${t('longer')}`}
        </Text>
        <TextInput
          label={t('name')}
          placeholder={streamTitle}
          maxLength={255}
          {...form.getInputProps('Title')}
        />
      </Stack>
    </DialogForm>
  )
}
