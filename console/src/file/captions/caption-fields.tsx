import { Button, FileButton, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useTexts } from '../../shell/texts.ts'
import type { FormFields } from '../../ui/forms/form-fields.ts'
import { LanguageInput } from '../language-input.tsx'
import { captionKinds, type CaptionValues } from './caption-values.ts'
import { languageOfName, readCaptionText } from './read-caption-file.ts'

export const CaptionFields = ({ form }: { readonly form: FormFields<CaptionValues> }) => {
  const t = useTexts('file.captionForm')
  const isChapters = form.values.Kind === 'chapters'
  const read = async (chosen: File | null): Promise<void> => {
    if (chosen === null) return
    form.setFieldValue('Content', readCaptionText(await chosen.arrayBuffer()))
    const language = languageOfName(chosen.name)
    if (form.values.Language === '' && language !== null) form.setFieldValue('Language', language)
  }
  return (
    <>
      <LanguageInput
        label={t('language')}
        required
        maxLength={100}
        data-autofocus
        openOnFocus={false}
        {...form.getInputProps('Language')}
      />
      <Select
        label={t('kind')}
        data={captionKinds.map((kind) => ({ value: kind, label: t(kind) }))}
        allowDeselect={false}
        {...form.getInputProps('Kind')}
      />
      {!isChapters && (
        <>
          <TextInput
            label={t('label')}
            description={t('labelAdvice')}
            maxLength={100}
            {...form.getInputProps('Label')}
          />
          <Switch label={t('isDefault')} {...form.getInputProps('IsDefault', { type: 'checkbox' })} />
        </>
      )}
      <Textarea
        label={t('text')}
        description={t(isChapters ? 'chaptersAdvice' : 'textAdvice')}
        placeholder={isChapters ? t('chaptersExample') : ''}
        required
        rows={9}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...form.getInputProps('Content')}
      />
      <FileButton accept=".srt,.vtt,text/vtt,application/x-subrip" onChange={(chosen) => void read(chosen)}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<IconFileUpload size={18} aria-hidden />}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('read')}
          </Button>
        )}
      </FileButton>
    </>
  )
}
