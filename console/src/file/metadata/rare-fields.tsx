import { SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { Disclosure } from '../../ui/forms/disclosure.tsx'
import { adsDisabled, OtherFields } from './custom-fields.tsx'
import { useMetadata } from './fields-context.ts'
import { otherFields } from './metadata-edits.ts'
import { LanguageField, NumberField, TextField } from './plain-fields.tsx'

const names = [
  ...['DisplayTitle', 'DisplayTitleSecondLine', 'NativeLanguage', 'Genre', 'Series', 'ProgramId', 'Rating'],
  ...['ExternalId', 'Latitude', 'Longitude', adsDisabled, otherFields],
]
const ownNames = [...names, 'EncodingPriority']

const isFilled = (value: unknown): boolean => value != null && value !== '' && value !== false

/** Fields that few files have. They open by themselves when one of them is invalid. */
export const RareFields = () => {
  const t = useTexts('file.metadata')
  const { form } = useMetadata()
  const [isOpen, setOpen] = useState(false)
  const hasIssue = ownNames.some((name) => form.issueOf(name) !== null || form.serverIssueOf(name) !== null)
  const filled = names.filter((name) => isFilled(form.valueOf(name))).length
  return (
    <Disclosure
      label={t('more')}
      note={filled === 0 ? undefined : t('filled', { count: filled })}
      isOpen={isOpen || hasIssue}
      onToggle={() => setOpen(!isOpen)}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextField name="DisplayTitle" label={t('DisplayTitle')} />
        <TextField name="DisplayTitleSecondLine" label={t('DisplayTitleSecondLine')} />
        <LanguageField name="NativeLanguage" label={t('NativeLanguage')} />
        <TextField name="Genre" label={t('Genre')} />
        <TextField name="Series" label={t('Series')} />
        <TextField name="ProgramId" label={t('ProgramId')} />
        <TextField
          name="ExternalId"
          label={t('ExternalId')}
          description={t('externalAdvice')}
          maxLength={255}
        />
        <NumberField
          name="EncodingPriority"
          label={t('EncodingPriority')}
          description={t('priorityAdvice')}
          min={0}
          max={100}
          isWhole
        />
        <NumberField name="Latitude" label={t('Latitude')} min={-90} max={90} />
        <NumberField name="Longitude" label={t('Longitude')} min={-180} max={180} />
        <TextField name="Rating" label={t('Rating')} />
      </SimpleGrid>
      <OtherFields />
    </Disclosure>
  )
}
