import { Fieldset, SimpleGrid, Stack } from '@mantine/core'
import { useMemo } from 'react'
import { useTexts } from '../../shell/texts.ts'
import type { FileRights } from '../file-rights.ts'
import { CatalogFields } from './catalog-fields.tsx'
import { CustomFields } from './custom-fields.tsx'
import { MetadataContext } from './field-note.tsx'
import { AreaField, LanguageField, NumberField, TagsField, TextField } from './plain-fields.tsx'
import { ReleaseFields } from './release-fields.tsx'
import { SaveBar } from './save-bar.tsx'
import type { MetadataForm } from './use-metadata-form.ts'

export const MetadataPanel = ({
  form,
  rights,
}: {
  readonly form: MetadataForm
  readonly rights: FileRights
}) => {
  const t = useTexts('file.metadata')
  const { mayEdit, mayPublish } = rights
  const context = useMemo(() => ({ form, mayEdit, mayPublish }), [form, mayEdit, mayPublish])
  const columns = { base: 1, sm: 2 }
  return (
    <MetadataContext value={context}>
      <Stack className="file-metadata">
        <Fieldset legend={t('release')}>
          <Stack gap="xs">
            <ReleaseFields />
          </Stack>
        </Fieldset>
        <Fieldset legend={t('words')}>
          <Stack>
            <TextField name="Title" label={t('Title')} />
            <AreaField name="Description" label={t('Description')} />
            <SimpleGrid cols={columns}>
              <TextField name="DisplayTitle" label={t('DisplayTitle')} />
              <TextField name="DisplayTitleSecondLine" label={t('DisplayTitleSecondLine')} />
            </SimpleGrid>
          </Stack>
        </Fieldset>
        <Fieldset legend={t('order')}>
          <Stack>
            <TagsField name="Tags" label={t('Tags')} description={t('tagsAdvice')} />
            <CatalogFields />
          </Stack>
        </Fieldset>
        <Fieldset legend={t('programme')}>
          <SimpleGrid cols={columns}>
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
            <TextField name="Rating" label={t('Rating')} />
            <NumberField name="Latitude" label={t('Latitude')} min={-90} max={90} />
            <NumberField name="Longitude" label={t('Longitude')} min={-180} max={180} />
            <NumberField
              name="EncodingPriority"
              label={t('EncodingPriority')}
              description={t('priorityAdvice')}
              min={0}
              max={100}
              isWhole
            />
          </SimpleGrid>
        </Fieldset>
        <Fieldset legend={t('own')}>
          <CustomFields />
        </Fieldset>
        <SaveBar form={form} />
      </Stack>
    </MetadataContext>
  )
}
