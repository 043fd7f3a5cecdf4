import { Select, type SelectProps } from '@mantine/core'
import { useTexts } from '../shell/texts.ts'
import { StatusBadge } from './status-badge.tsx'

export type ReleaseStatus = 'draft' | 'unpublished' | 'published'

const releaseStatuses: readonly ReleaseStatus[] = ['draft', 'unpublished', 'published']

export const ReleaseBadge = ({ status }: { readonly status: ReleaseStatus }) => {
  const t = useTexts('ui.releaseStatus')
  return <StatusBadge tone={status === 'published' ? 'ok' : 'neutral'}>{t(status)}</StatusBadge>
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
