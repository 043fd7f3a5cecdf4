import { Badge, Select, type SelectProps } from '@mantine/core'
import { defineWords } from '../shell/words.ts'

export type ReleaseStatus = 'draft' | 'unpublished' | 'published'

const releaseStatuses: readonly ReleaseStatus[] = ['draft', 'unpublished', 'published']

export const useReleaseWords = defineWords('release-status', {
  en: { label: 'Release', draft: 'Draft', unpublished: 'Not published', published: 'Published' },
  de: {
    label: 'Veröffentlichung',
    draft: 'Entwurf',
    unpublished: 'Nicht veröffentlicht',
    published: 'Veröffentlicht',
  },
})

const colors = { draft: 'gray', unpublished: 'gray', published: 'green' } as const

export const ReleaseBadge = ({ status }: { readonly status: ReleaseStatus }) => {
  const t = useReleaseWords()
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
  const t = useReleaseWords()
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
