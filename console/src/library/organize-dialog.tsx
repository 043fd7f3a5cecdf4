import { Button, Group, Modal, Select, Stack, TagsInput } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import { useTexts } from '../shell/texts.ts'
import { addCategory, changeTags, moveToCategory, type BulkAct } from './bulk-acts.ts'
import { useCategories } from './library-filters.tsx'

export type OrganizeKind = 'move' | 'addCategory' | 'addTags' | 'removeTags'

const noCategory = 'none'

export const OrganizeDialog = ({
  kind,
  onClose,
  onAct,
}: {
  /** Null = closed. */
  readonly kind: OrganizeKind | null
  readonly onClose: () => void
  readonly onAct: (act: BulkAct) => void
}) => {
  const t = useTexts('library.bulkBar')
  const { data: categories = [] } = useCategories()
  const [categoryId, setCategoryId] = useState<string | null>(null)
  const [tags, setTags] = useState<string[]>([])
  const isOfTags = kind === 'addTags' || kind === 'removeTags'
  const choices = categories.map(({ Id, Label }) => ({ value: String(Id), label: Label }))
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (kind === null || (isOfTags ? tags.length === 0 : categoryId === null)) return
    if (isOfTags) onAct(changeTags(tags, kind === 'addTags' ? 'add' : 'remove'))
    else if (kind === 'move') onAct(moveToCategory(categoryId === noCategory ? null : Number(categoryId)))
    else onAct(addCategory(Number(categoryId)))
    setTags([])
    setCategoryId(null)
    onClose()
  }
  return (
    <Modal opened={kind !== null} onClose={onClose} title={kind === null ? '' : t(kind)}>
      <form onSubmit={submit}>
        <Stack>
          {isOfTags ? (
            <TagsInput
              label={t('tags')}
              value={tags}
              onChange={setTags}
              maxTags={100}
              acceptValueOnBlur
              data-autofocus
            />
          ) : (
            <Select
              label={t('category')}
              searchable
              required
              data-autofocus
              value={categoryId}
              onChange={setCategoryId}
              data={kind === 'move' ? [{ value: noCategory, label: t('noCategory') }, ...choices] : choices}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit">{t('apply')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
