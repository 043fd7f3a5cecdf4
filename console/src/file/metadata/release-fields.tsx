import { Select, SimpleGrid, Text } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { useField, useMetadata } from './fields-context.ts'
import { TimeField } from './plain-fields.tsx'

const statuses = ['draft', 'unpublished', 'published'] as const

export const ReleaseFields = () => {
  const t = useTexts('file.release')
  const names = useTexts('ui.releaseStatus')
  const { form, mayPublish } = useMetadata()
  const { value, set, error, disabled } = useField('ReleaseStatus')
  const isReleased = form.fields['ReleaseStatus'] === 'published'
  return (
    <>
      <Select
        label={names('label')}
        data={statuses.map((status) => ({
          value: status,
          label: names(status),
          disabled: status === 'published' && !mayPublish,
        }))}
        value={String(value)}
        allowDeselect={false}
        error={error}
        disabled={disabled || (isReleased && !mayPublish)}
        onChange={(next) => set(next)}
      />
      {/* At 1024 px, the panel has no room for two dates with their times. */}
      <SimpleGrid type="container" cols={{ base: 1, '420px': 2 }}>
        <TimeField name="IsPublicAt" label={t('from')} isForbidden={isReleased && !mayPublish} />
        <TimeField name="IsPublicUntil" label={t('until')} isForbidden={isReleased && !mayPublish} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {mayPublish ? t('window') : t('senior')}
      </Text>
    </>
  )
}
