import type { MediaFile } from '@zoetrope/sdk'
import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconScissors } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type SubmitEvent } from 'react'
import { zoetrope } from '../shell/api.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { fieldErrors } from '../ui/forms/field-errors.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { clockText, parseClock } from './clock.ts'
import type { PlayerLink } from './player-link.ts'

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
  readonly error: string | null
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
  const [from, setFrom] = useState('0:00.00')
  const [to, setTo] = useState(length === null ? '' : clockText(Math.floor(length * 100) / 100))
  const [Title, setTitle] = useState(t('titleOf', { title: file.Metadata.Title }).slice(0, 500))
  const start = parseClock(from)
  const end = parseClock(to)
  const cut = useMutation({
    mutationFn: () =>
      zoetrope.files.clip(file.ProjectId, file.Id, {
        StartTime: start ?? 0,
        EndTime: end ?? 0,
        Metadata: { Title },
      }),
  })
  if (!can('files:upload')) return <Text>{t('forbidden')}</Text>
  if (!file.IsPlayable) return <Text>{t('notPlayable')}</Text>
  const endIssue = (): string | null => {
    if (end === null) return t('noTime')
    if (start !== null && end <= start) return t('order')
    return length !== null && end > length ? t('late', { length: clockText(length) }) : null
  }
  const errors = fieldErrors(cut.error)
  const isRight = start !== null && endIssue() === null
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (isRight) cut.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack align="flex-start">
        <Text size="sm">{t('text')}</Text>
        <TimeInput
          label={t('from')}
          takeLabel={t('takeFrom')}
          showLabel={t('showFrom')}
          value={from}
          error={start === null ? t('noTime') : (errors['StartTime'] ?? null)}
          link={link}
          onChange={setFrom}
        />
        <TimeInput
          label={t('to')}
          takeLabel={t('takeTo')}
          showLabel={t('showTo')}
          value={to}
          error={endIssue() ?? errors['EndTime'] ?? null}
          link={link}
          onChange={setTo}
        />
        <TextInput
          label={t('title')}
          value={Title}
          maxLength={500}
          w="100%"
          maw={480}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <ProblemAlert error={cut.error} />
        <Button
          type="submit"
          leftSection={<IconScissors size={18} aria-hidden />}
          loading={cut.isPending}
          disabled={!isRight}
        >
          {t('cut')}
        </Button>
        <div role="status">
          {cut.data && (
            <Alert color="green" variant="outline">
              {t('made')}{' '}
              <Anchor
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to="/projects/$projectId/files/$fileId"
                    params={{ projectId: file.ProjectId, fileId: cut.data.Id }}
                  />
                )}
              >
                {t('open')}
              </Anchor>
            </Alert>
          )}
        </div>
      </Stack>
    </form>
  )
}
