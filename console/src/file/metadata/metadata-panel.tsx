import { Fieldset, SimpleGrid, Stack } from '@mantine/core'
import { useMemo } from 'react'
import { defineWords } from '../../shell/words.ts'
import type { FileRights } from '../file-rights.ts'
import { CatalogFields } from './catalog-fields.tsx'
import { CustomFields } from './custom-fields.tsx'
import { MetadataContext } from './field-note.tsx'
import { AreaField, LanguageField, NumberField, TagsField, TextField } from './plain-fields.tsx'
import { ReleaseFields } from './release-fields.tsx'
import { SaveBar } from './save-bar.tsx'
import type { MetadataForm } from './use-metadata-form.ts'

const useWords = defineWords('file-metadata', {
  en: {
    release: 'Release',
    words: 'Title and description',
    order: 'Tags and categories',
    programme: 'Programme',
    own: 'Fields of your own',
    Title: 'Title',
    Description: 'Description',
    DisplayTitle: 'Title for viewers',
    DisplayTitleSecondLine: 'Second line for viewers',
    Tags: 'Tags',
    tagsAdvice: 'Press Enter after each.',
    Genre: 'Genre',
    Series: 'Series',
    NativeLanguage: 'Language',
    ProgramId: 'Programme number',
    ExternalId: 'External ID',
    externalAdvice: 'Reference in your own system, unique in the project.',
    Rating: 'Rating',
    Latitude: 'Latitude',
    Longitude: 'Longitude',
    EncodingPriority: 'Encoding priority',
    priorityAdvice: '0 to 100; higher is encoded first.',
  },
  de: {
    release: 'Veröffentlichung',
    words: 'Titel und Beschreibung',
    order: 'Tags und Kategorien',
    programme: 'Programm',
    own: 'Eigene Felder',
    Title: 'Titel',
    Description: 'Beschreibung',
    DisplayTitle: 'Titel für Zuschauer',
    DisplayTitleSecondLine: 'Zweite Zeile für Zuschauer',
    Tags: 'Tags',
    tagsAdvice: 'Drücken Sie nach jedem die Eingabetaste.',
    Genre: 'Genre',
    Series: 'Serie',
    NativeLanguage: 'Sprache',
    ProgramId: 'Programmnummer',
    ExternalId: 'Externe ID',
    externalAdvice: 'Kennung in Ihrem eigenen System, im Projekt eindeutig.',
    Rating: 'Altersfreigabe',
    Latitude: 'Breitengrad',
    Longitude: 'Längengrad',
    EncodingPriority: 'Encoding-Priorität',
    priorityAdvice: '0 bis 100; höhere werden zuerst encodiert.',
  },
})

export const MetadataPanel = ({
  form,
  rights,
}: {
  readonly form: MetadataForm
  readonly rights: FileRights
}) => {
  const t = useWords()
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
