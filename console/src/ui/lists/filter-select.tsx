import { Select, type SelectProps } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { useAddress } from './use-address.ts'

/** Filters the list of the screen by a parameter of its URL. */
export const FilterSelect = ({
  name,
  ...rest
}: Omit<SelectProps, 'value' | 'onChange'> & { readonly name: string }) => {
  const t = useTexts('ui.filterSelect')
  const [address, go] = useAddress()
  return (
    <Select
      clearable
      placeholder={t('all')}
      {...rest}
      value={address[name] ?? null}
      onChange={(value) => go({ [name]: value ?? undefined })}
    />
  )
}
