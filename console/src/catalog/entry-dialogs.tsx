import { Modal, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { DialogForm } from '../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../ui/forms/use-save-form.ts'
import { formatNumber } from '../ui/format.ts'
import type { Entry, Vocabulary } from './vocabularies.ts'

/** The open dialog and its entry. Null = a new entry. */
export type EntryAct =
  | { readonly kind: 'edit'; readonly entry: Entry | null }
  | { readonly kind: 'delete'; readonly entry: Entry; readonly fileCount: number }

export const EntryDialogs = ({
  vocabulary,
  act,
  onClose,
}: {
  readonly vocabulary: Vocabulary
  readonly act: EntryAct | null
  readonly onClose: () => void
}) => {
  const t = useTexts('catalog.screen')
  const client = useQueryClient()
  // Keeps the entry while the closing animation runs.
  const [last, setLast] = useState(act)
  if (act !== null && act !== last) setLast(act)
  if (last === null) return null
  const isOpen = act !== null
  const { entry } = last
  if (last.kind === 'delete') {
    const { fileCount: count } = last
    return (
      <Confirm
        isOpen={isOpen}
        onClose={onClose}
        title={t('deleteTitle', { name: last.entry.Label })}
        text={count === 0 ? t('deleteUnused') : t('deleteUsed', { count, shown: formatNumber(count) })}
        action={t('delete')}
        onConfirm={async () => {
          await vocabulary.remove(last.entry.Id)
          await client.invalidateQueries({ queryKey: queryKeys.catalog })
        }}
      />
    )
  }
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={entry === null ? t('createTitle') : t('renameNamed', { name: entry.Label })}
    >
      <EntryForm vocabulary={vocabulary} entry={entry} onClose={onClose} />
    </Modal>
  )
}

const EntryForm = ({
  vocabulary,
  entry,
  onClose,
}: {
  readonly vocabulary: Vocabulary
  readonly entry: Entry | null
  readonly onClose: () => void
}) => {
  const t = useTexts('catalog.screen')
  const client = useQueryClient()
  const form = useSaveForm({
    initialValues: { Label: entry?.Label ?? '', CustomId: entry?.CustomId ?? '' },
    save: (body) => (entry === null ? vocabulary.create(body) : vocabulary.update(entry.Id, body)),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.catalog })
      onClose()
    },
  })
  return (
    <DialogForm form={form} action={t(entry === null ? 'createAct' : 'save')} onCancel={onClose}>
      <TextInput
        label={t('label')}
        required
        maxLength={255}
        data-autofocus
        {...form.getInputProps('Label')}
      />
      <TextInput
        label={t('customId')}
        description={t('customIdExplained')}
        maxLength={255}
        {...form.getInputProps('CustomId')}
      />
    </DialogForm>
  )
}
