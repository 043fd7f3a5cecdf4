import type { MediaFile } from '@zoetrope/sdk'
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconScissors } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { FileLink } from '../../ui/file-link.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { clockText, parseClock } from '../clock.ts'
import type { PlayerLink } from '../player-link.ts'

const TimeInput = ({
  label,
  takeLabel,
  showLabel,
  value,
  error,
  link,
  onChange,
}: {
  readonly label: string
  readonly takeLabel: string
  readonly showLabel: string
  readonly value: string
  readonly error: ReactNode
  readonly link: PlayerLink
  readonly onChange: (text: string) => void
}) => {
  const t = useTexts('file.clips')
  const seconds = parseClock(value)
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        label={label}
        value={value}
        error={error}
        w={100}
        maxLength={20}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button
        variant="default"
        px="sm"
        aria-label={takeLabel}
        onClick={() => void link.position().then((at) => onChange(clockText(at)))}
      >
        {t('take')}
      </Button>
      <Button
        variant="subtle"
        px="xs"
        aria-label={showLabel}
        disabled={seconds === null}
        onClick={() => seconds !== null && link.seek(seconds)}
      >
        {t('show')}
      </Button>
    </Group>
  )
}

export const ClipsPanel = ({ file, link }: { readonly file: MediaFile; readonly link: PlayerLink }) => {
  const t = useTexts('file.clips')
  const can = useCan(file.ProjectId)
  const length = file.Properties?.Length ?? null
  const form = useSaveForm({
    initialValues: {
      StartTime: '0:00.00',
      EndTime: length === null ? '' : clockText(Math.floor(length * 100) / 100),
      Title: t('titleOf', { title: file.Metadata.Title }).slice(0, 500),
    },
    save: ({ StartTime, EndTime, Title }) =>
      zoetrope.files.clip(file.ProjectId, file.Id, {
        StartTime: parseClock(StartTime) ?? 0,
        EndTime: parseClock(EndTime) ?? 0,
        Metadata: { Title },
      }),
  })
  const { saving, values, errors } = form
  const start = parseClock(values.StartTime)
  const end = parseClock(values.EndTime)
  if (!can('files:upload')) return <Text>{t('forbidden')}</Text>
  if (!file.IsPlayable) return <Text>{t('notPlayable')}</Text>
  const endIssue = (): string | null => {
    if (end === null) return t('noTime')
    if (start !== null && end <= start) return t('order')
    return length !== null && end > length ? t('late', { length: clockText(length) }) : null
  }
  const isRight = start !== null && endIssue() === null
  return (
    <form onSubmit={form.submit}>
      <Stack align="flex-start">
        <Text size="sm">{t('text')}</Text>
        <TimeInput
          label={t('from')}
          takeLabel={t('takeFrom')}
          showLabel={t('showFrom')}
          value={values.StartTime}
          error={start === null ? t('noTime') : errors['StartTime']}
          link={link}
          onChange={(text) => form.setFieldValue('StartTime', text)}
        />
        <TimeInput
          label={t('to')}
          takeLabel={t('takeTo')}
          showLabel={t('showTo')}
          value={values.EndTime}
          error={endIssue() ?? errors['EndTime']}
          link={link}
          onChange={(text) => form.setFieldValue('EndTime', text)}
        />
        <TextInput label={t('title')} maxLength={500} w="100%" maw={480} {...form.getInputProps('Title')} />
        <ProblemAlert error={form.problem} />
        <Button
          type="submit"
          leftSection={<IconScissors size={18} aria-hidden />}
          loading={saving.isPending}
          disabled={!isRight}
        >
          {t('cut')}
        </Button>
        <div role="status">
          {saving.data && (
            <Alert color="green" variant="outline">
              {t('made')}{' '}
              <FileLink projectId={file.ProjectId} fileId={saving.data.Id}>
                {t('open')}
              </FileLink>
            </Alert>
          )}
        </div>
      </Stack>
    </form>
  )
}
