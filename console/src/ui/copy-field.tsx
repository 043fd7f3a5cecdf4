import { TextInput, type TextInputProps } from '@mantine/core'
import { useTexts } from '../shell/texts.ts'
import { CopyButton } from './copy-button.tsx'

export const CopyField = ({
  label,
  value,
  ...rest
}: Omit<TextInputProps, 'label' | 'value'> & { readonly label: string; readonly value: string }) => {
  const t = useTexts('ui.copyField')
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
