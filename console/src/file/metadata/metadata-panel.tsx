import { Stack } from '@mantine/core'
import { useMemo } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { Section } from '../../ui/section.tsx'
import type { FileRights } from '../file-rights.ts'
import { CatalogFields } from './catalog-fields.tsx'
import { ProjectFields } from './custom-fields.tsx'
import { MetadataContext } from './fields-context.ts'
import { AreaField, TagsField, TextField } from './plain-fields.tsx'
import { RareFields } from './rare-fields.tsx'
import { ReleaseFields } from './release-fields.tsx'
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
  return (
    <MetadataContext value={context}>
      <Stack className="file-metadata">
        <Section title={t('words')}>
          <TextField name="Title" label={t('Title')} />
          <AreaField name="Description" label={t('Description')} />
          <TagsField name="Tags" label={t('Tags')} description={t('tagsAdvice')} />
        </Section>
        {form.project.MetadataFields.length > 0 && (
          <Section title={t('own')}>
            <ProjectFields />
          </Section>
        )}
        <Section title={t('release')}>
          <ReleaseFields />
        </Section>
        <Section title={t('order')}>
          <CatalogFields />
        </Section>
        <RareFields />
      </Stack>
    </MetadataContext>
  )
}
