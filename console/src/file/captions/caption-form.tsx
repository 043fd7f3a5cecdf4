import { metaOf, type MediaFile } from '@zoetrope/sdk'
import { Autocomplete, Button, FileButton, Modal, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { fieldErrors } from '../../ui/field-errors.ts'
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
  const [Language, setLanguage] = useState(record?.Language ?? '')
  const [Label, setLabel] = useState(record?.Label ?? '')
  const [Kind, setKind] = useState<Caption['Kind']>(record?.Kind ?? 'subtitles')
  const [isDefault, setIsDefault] = useState(
    record?.IsDefault ?? file.Captions.every((one) => one.Kind === 'chapters'),
  )
  const [Content, setContent] = useState(open?.text ?? '')
  const isChapters = Kind === 'chapters'
  const IsDefault = isDefault && !isChapters
  const save = useMutation({
    mutationFn: () => {
      const body = { Language: Language.trim(), Label: Label.trim() || null, Kind, IsDefault }
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
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.file(file.ProjectId, file.Id) })
      onClose()
    },
  })
  const errors = fieldErrors(save.error)
  const read = async (chosen: File | null): Promise<void> => {
    if (chosen === null) return
    setContent(readCaptionText(await chosen.arrayBuffer()))
    if (Language === '') setLanguage(languageOfName(chosen.name) ?? '')
  }
  return (
    <Modal opened onClose={onClose} title={record === undefined ? t('add') : t('edit')} size="lg">
      <DialogForm
        error={save.error}
        isPending={save.isPending}
        action={t('save')}
        onSubmit={() => save.mutate()}
        onCancel={onClose}
      >
        <Autocomplete
          label={t('language')}
          data={[...languageTags]}
          renderOption={({ option }) => languageName(option.value)}
          value={Language}
          required
          maxLength={100}
          error={errors['Language']}
          onChange={setLanguage}
        />
        <Select
          label={t('kind')}
          data={kinds.map((kind) => ({ value: kind, label: t(kind) }))}
          value={Kind}
          allowDeselect={false}
          onChange={(chosen) => setKind(kinds.find((kind) => kind === chosen) ?? 'subtitles')}
        />
        {!isChapters && (
          <>
            <TextInput
              label={t('label')}
              description={t('labelAdvice')}
              value={Label}
              maxLength={100}
              error={errors['Label']}
              onChange={(event) => setLabel(event.currentTarget.value)}
            />
            <Switch
              label={t('isDefault')}
              checked={IsDefault}
              onChange={(event) => setIsDefault(event.currentTarget.checked)}
            />
          </>
        )}
        <Textarea
          label={t('text')}
          description={t(isChapters ? 'chaptersAdvice' : 'textAdvice')}
          placeholder={isChapters ? t('chaptersExample') : ''}
          value={Content}
          required
          rows={12}
          spellCheck={false}
          error={errors['Content']}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onChange={(event) => setContent(event.currentTarget.value)}
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
