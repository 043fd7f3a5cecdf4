import { Badge, Select, type SelectProps } from '@mantine/core'
import { useTexts } from '../shell/texts.ts'

export type ReleaseStatus = 'draft' | 'unpublished' | 'published'

const releaseStatuses: readonly ReleaseStatus[] = ['draft', 'unpublished', 'published']

const colors = { draft: 'gray', unpublished: 'gray', published: 'green' } as const

export const ReleaseBadge = ({ status }: { readonly status: ReleaseStatus }) => {
  const t = useTexts('ui.releaseStatus')
  return (
    <Badge variant="dot" color={colors[status]} tt="none" miw="max-content">
      {t(status)}
    </Badge>
  )
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
