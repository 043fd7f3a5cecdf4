import { Select, type SelectProps } from '@mantine/core'
import { useTexts } from '../shell/texts.ts'
import { StatusBadge } from './status-badge.tsx'

export type ReleaseStatus = 'draft' | 'unpublished' | 'published'

const releaseStatuses: readonly ReleaseStatus[] = ['draft', 'unpublished', 'published']

interface Release {
  readonly ReleaseStatus: ReleaseStatus
  readonly IsPublicAt?: string | null
  readonly IsPublicUntil?: string | null
}

/** What viewers get now: a published file may be visible later, or no longer. */
export const releaseNow = ({
  ReleaseStatus: status,
  IsPublicAt,
  IsPublicUntil,
}: Release): ReleaseStatus | 'scheduled' | 'expired' => {
  if (status !== 'published') return status
  if (IsPublicUntil != null && Date.parse(IsPublicUntil) <= Date.now()) return 'expired'
  return IsPublicAt != null && Date.parse(IsPublicAt) > Date.now() ? 'scheduled' : status
}

export const ReleaseBadge = (release: Release) => {
  const t = useTexts('ui.releaseStatus')
  const state = releaseNow(release)
  return <StatusBadge tone={state === 'published' ? 'ok' : 'neutral'}>{t(state)}</StatusBadge>
}

export const ReleaseSelect = ({
  value,
  onChange,
  ...rest
}: Omit<SelectProps, 'value' | 'onChange' | 'data'> & {
  readonly value: ReleaseStatus
  readonly onChange: (status: ReleaseStatus) => void
}) => {
  const t = useTexts('ui.releaseStatus')
  return (
    <Select
      label={t('label')}
      allowDeselect={false}
      {...rest}
      value={value}
      data={releaseStatuses.map((status) => ({ value: status, label: t(status) }))}
      onChange={(chosen) => {
        const status = releaseStatuses.find((one) => one === chosen)
        if (status !== undefined) onChange(status)
      }}
    />
  )
}
