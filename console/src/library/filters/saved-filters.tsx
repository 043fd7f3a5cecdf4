import { Button, Menu, Modal, TextInput } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { IconBookmark, IconPlus, IconTrash } from '@tabler/icons-react'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { filtersIn, isFiltered, type LibrarySearch } from '../library-query.ts'
import type { FilterChanges } from './filter-editor.tsx'

interface SavedFilter {
  readonly name: string
  readonly filters: FilterChanges
}

const presets = [
  { name: 'presetFailed', filters: { hasErrors: 'true' } },
  { name: 'presetWorking', filters: { isFinished: 'false' } },
  { name: 'presetDrafts', filters: { releaseStatus: 'draft,unpublished' } },
] as const

const SaveDialog = ({
  onSave,
  onClose,
}: {
  readonly onSave: (name: string) => void
  readonly onClose: () => void
}) => {
  const t = useTexts('library.savedFilters')
  const form = useSaveForm({
    initialValues: { name: '' },
    save: async ({ name }) => onSave(name.trim()),
    onSaved: onClose,
  })
  return (
    <DialogForm form={form} action={t('save')} onCancel={onClose}>
      <TextInput
        label={t('name')}
        description={t('kept')}
        required
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </DialogForm>
  )
}

/** Named sets of filters, kept in this browser, for all projects. */
export const SavedFilters = ({
  search,
  onApply,
}: {
  readonly search: LibrarySearch
  readonly onApply: (filters: FilterChanges) => void
}) => {
  const t = useTexts('library.savedFilters')
  const [isSaving, { open, close }] = useDisclosure()
  const [saved, setSaved] = useLocalStorage<readonly SavedFilter[]>({
    key: 'zoetrope-library-filters',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const others = (name: string): readonly SavedFilter[] => saved.filter((one) => one.name !== name)
  const keyOf = (filters: FilterChanges): string =>
    Object.entries(filters)
      .map((pair) => pair.join('='))
      .toSorted()
      .join('&')
  const current = saved.find(({ filters }) => keyOf(filters) === keyOf(filtersIn(search)))
  return (
    <>
      <Menu position="bottom-start" width={240} keepMounted={false}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden />}>
            {t('saved')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {presets.map(({ name, filters }) => (
            <Menu.Item key={name} onClick={() => onApply(filters)}>
              {t(name)}
            </Menu.Item>
          ))}
          {saved.length > 0 && <Menu.Divider />}
          {saved.map(({ name, filters }) => (
            <Menu.Item key={name} onClick={() => onApply(filters)}>
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={!isFiltered(search)}
            onClick={open}
          >
            {t('saveThis')}
          </Menu.Item>
          {current !== undefined && (
            <Menu.Item
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => setSaved(others(current.name))}
            >
              {t('remove', { name: current.name })}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isSaving} onClose={close} title={t('saveThis')}>
        <SaveDialog
          onClose={close}
          onSave={(name) => setSaved([...others(name), { name, filters: filtersIn(search) }])}
        />
      </Modal>
    </>
  )
}
