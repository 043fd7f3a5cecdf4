import { Autocomplete, type AutocompleteProps, type ComboboxItem } from '@mantine/core'
import { findLanguage, languageName, languageTags } from './languages.ts'

type LanguageInputProps = Omit<AutocompleteProps, 'data' | 'renderOption' | 'filter' | 'onBlur'>

/** Takes a language tag. People look for the name of the language, so a name becomes its tag. */
export const LanguageInput = (props: LanguageInputProps) => (
  <Autocomplete
    {...props}
    data={[...languageTags]}
    renderOption={({ option }) => languageName(option.value)}
    filter={({ options, search }) =>
      (options as ComboboxItem[]).filter(({ value }) =>
        languageName(value).toLowerCase().includes(search.trim().toLowerCase()),
      )
    }
    onBlur={(event) => {
      const tag = findLanguage(event.currentTarget.value)
      if (tag !== null) props.onChange?.(tag)
    }}
  />
)
