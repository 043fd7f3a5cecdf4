import { TextInput, type TextInputProps } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'
import { defineWords } from '../shell/words.ts'

const useWords = defineWords('copy-field', {
  en: { copy: 'Copy: {{label}}' },
  de: { copy: 'Kopieren: {{label}}' },
})

export const CopyField = ({
  label,
  value,
  ...rest
}: Omit<TextInputProps, 'label' | 'value'> & { readonly label: string; readonly value: string }) => {
  const t = useWords()
  return (
    <TextInput
      readOnly
      {...rest}
      label={label}
      value={value}
      rightSection={<CopyButton text={value} label={t('copy', { label })} />}
      onFocus={(event) => event.currentTarget.select()}
    />
  )
}
