import { Modal, Select, TagsInput } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { addCategory, changeTags, moveToCategory, type BulkAct } from './bulk-acts.ts'
import { useCategories } from '../filters/filter-choices.ts'

export type OrganizeKind = 'move' | 'addCategory' | 'addTags' | 'removeTags'

const noCategory = 'none'

interface Choice {
  categoryId: string | null
  tags: string[]
}

const nothing: Choice = { categoryId: null, tags: [] }

const actOf = (kind: OrganizeKind, { categoryId, tags }: Choice): BulkAct => {
  if (kind === 'addTags' || kind === 'removeTags')
    return changeTags(tags, kind === 'addTags' ? 'add' : 'remove')
  if (kind === 'addCategory') return addCategory(Number(categoryId))
  return moveToCategory(categoryId === noCategory ? null : Number(categoryId))
}

interface OrganizeProps {
  readonly onClose: () => void
  readonly onAct: (act: BulkAct) => void
}

export const OrganizeDialog = ({
  kind,
  ...props
}: OrganizeProps & {
  /** Null = closed. */
  readonly kind: OrganizeKind | null
}) => {
  const t = useTexts('library.bulkBar')
  return (
    <Modal opened={kind !== null} onClose={props.onClose} title={kind === null ? '' : t(kind)}>
      {kind !== null && <OrganizeForm kind={kind} {...props} />}
    </Modal>
  )
}

const OrganizeForm = ({ kind, onClose, onAct }: OrganizeProps & { readonly kind: OrganizeKind }) => {
  const t = useTexts('library.bulkBar')
  const { data: categories = [] } = useCategories()
  const form = useSaveForm({
    initialValues: nothing,
    save: async (choice) => onAct(actOf(kind, choice)),
    onSaved: onClose,
  })
  const choices = categories.map(({ Id, Label }) => ({ value: String(Id), label: Label }))
  return (
    <DialogForm form={form} action={t('apply')} onCancel={onClose}>
      {kind === 'addTags' || kind === 'removeTags' ? (
        <TagsInput
          label={t('tags')}
          required
          maxTags={100}
          acceptValueOnBlur
          data-autofocus
          {...form.getInputProps('tags')}
        />
      ) : (
        <Select
          label={t('category')}
          searchable
          required
          data-autofocus
          data={kind === 'move' ? [{ value: noCategory, label: t('noCategory') }, ...choices] : choices}
          {...form.getInputProps('categoryId')}
        />
      )}
    </DialogForm>
  )
}
