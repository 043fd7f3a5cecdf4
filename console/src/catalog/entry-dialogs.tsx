import { Modal, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { DialogForm } from '../ui/dialog-form.tsx'
import { fieldErrors } from '../ui/field-errors.ts'
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
  const [Label, setLabel] = useState(entry?.Label ?? '')
  const [CustomId, setCustomId] = useState(entry?.CustomId ?? '')
  const save = useMutation({
    mutationFn: () => {
      const body = { Label, CustomId }
      return entry === null ? vocabulary.create(body) : vocabulary.update(entry.Id, body)
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.catalog })
      onClose()
    },
  })
  const errors = fieldErrors(save.error)
  return (
    <DialogForm
      error={save.error}
      isPending={save.isPending}
      action={t(entry === null ? 'createAct' : 'save')}
      onSubmit={() => save.mutate()}
      onCancel={onClose}
    >
      <TextInput
        label={t('label')}
        required
        maxLength={255}
        data-autofocus
        value={Label}
        error={errors['Label']}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <TextInput
        label={t('customId')}
        description={t('customIdExplained')}
        maxLength={255}
        value={CustomId}
        error={errors['CustomId']}
        onChange={(event) => setCustomId(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
