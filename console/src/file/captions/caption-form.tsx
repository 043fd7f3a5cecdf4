import { metaOf, type MediaFile } from '@zoetrope/sdk'
import { Autocomplete, Button, FileButton, Modal, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { languageName, languageTags } from '../languages.ts'
import { languageOfName, readCaptionText } from './read-caption-file.ts'

type Caption = MediaFile['Captions'][number]

export interface OpenCaption {
  readonly record: Caption
  readonly text: string
}

const kinds = ['subtitles', 'captions', 'chapters'] as const

export const CaptionForm = ({
  file,
  open,
  onClose,
}: {
  readonly file: MediaFile
  /** Null = new captions. */
  readonly open: OpenCaption | null
  readonly onClose: () => void
}) => {
  const t = useTexts('file.captionForm')
  const queryClient = useQueryClient()
  const record = open?.record
  const form = useSaveForm({
    initialValues: {
      Language: record?.Language ?? '',
      Label: record?.Label ?? '',
      Kind: record?.Kind ?? 'subtitles',
      IsDefault: record?.IsDefault ?? file.Captions.every((one) => one.Kind === 'chapters'),
      Content: open?.text ?? '',
    },
    save: ({ Language, Label, Kind, IsDefault, Content }) => {
      const body = {
        Language: Language.trim(),
        Label: Label.trim() || null,
        Kind,
        IsDefault: IsDefault && Kind !== 'chapters',
      }
      if (record === undefined) return zoetrope.captions.create(file.ProjectId, file.Id, { ...body, Content })
      const etag = metaOf(record)?.etag
      return zoetrope.captions.update(
        file.ProjectId,
        file.Id,
        record.Id,
        // New text gets a new URL, so unchanged text is not sent.
        Content === open?.text ? body : { ...body, Content },
        etag == null ? {} : { ifMatch: etag },
      )
    },
    onSaved: async () => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.file(file.ProjectId, file.Id) })
      onClose()
    },
  })
  const isChapters = form.values.Kind === 'chapters'
  const read = async (chosen: File | null): Promise<void> => {
    if (chosen === null) return
    form.setFieldValue('Content', readCaptionText(await chosen.arrayBuffer()))
    form.setFieldValue('Language', (before) => before || (languageOfName(chosen.name) ?? ''))
  }
  return (
    <Modal opened onClose={onClose} title={record === undefined ? t('add') : t('edit')} size="lg">
      <DialogForm form={form} action={t('save')} onCancel={onClose}>
        <Autocomplete
          label={t('language')}
          data={[...languageTags]}
          renderOption={({ option }) => languageName(option.value)}
          required
          maxLength={100}
          {...form.getInputProps('Language')}
        />
        <Select
          label={t('kind')}
          data={kinds.map((kind) => ({ value: kind, label: t(kind) }))}
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
          rows={12}
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
      </DialogForm>
    </Modal>
  )
}
