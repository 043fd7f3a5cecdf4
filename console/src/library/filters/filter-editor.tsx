import { Checkbox, Group, Radio, ScrollArea, Stack, TagsInput, TextInput } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import type { FilterName, LibrarySearch } from '../library-query.ts'
import type { FilterField } from './filter-choices.ts'

export type FilterChanges = Partial<Record<FilterName, string | undefined>>

const listOf = (text: string | undefined): string[] => (text === undefined ? [] : text.split(','))

/** The value of one filter, in the popover of its chip. */
export const FilterEditor = ({
  field: { kind, names, label, choices },
  search,
  onChange,
}: {
  readonly field: FilterField
  readonly search: LibrarySearch
  readonly onChange: (changes: FilterChanges) => void
}) => {
  const t = useTexts('library.screen')
  const [name, endName] = names
  if (name === undefined) return null
  if (kind === 'several')
    return (
      <ScrollArea.Autosize mah={280} type="auto">
        <Checkbox.Group
          label={label}
          value={listOf(search[name])}
          onChange={(values) => onChange({ [name]: values.join(',') })}
        >
          <Stack gap="xs" mt={4}>
            {choices.map((choice) => (
              <Checkbox key={choice.value} value={choice.value} label={choice.label} />
            ))}
            {choices.length === 0 && t('noChoices')}
          </Stack>
        </Checkbox.Group>
      </ScrollArea.Autosize>
    )
  if (kind === 'one')
    return (
      <Radio.Group
        label={label}
        value={search[name] ?? ''}
        onChange={(value) => onChange({ [name]: value ?? '' })}
      >
        <Stack gap="xs" mt={4}>
          {choices.map((choice) => (
            <Radio key={choice.value} value={choice.value} label={choice.label} />
          ))}
        </Stack>
      </Radio.Group>
    )
  if (kind === 'tags')
    return (
      <TagsInput
        label={label}
        value={listOf(search[name])}
        onChange={(values) => onChange({ [name]: values.join(',') })}
        acceptValueOnBlur
        clearable
        data-autofocus
      />
    )
  const day = (dayName: FilterName) => ({
    type: 'date',
    value: search[dayName] ?? '',
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ [dayName]: event.currentTarget.value }),
  })
  return (
    <Group gap="xs" grow>
      <TextInput label={t('from')} {...day(name)} />
      {endName !== undefined && <TextInput label={t('until')} {...day(endName)} />}
    </Group>
  )
}
