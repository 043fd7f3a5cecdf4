import { Text } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'

const minLength = 10
/** Enough for three or four words. */
const goodLength = 16

const hintOf = (password: string): 'short' | 'fair' | 'good' => {
  const length = Array.from(password).length
  if (length < minLength) return 'short'
  const words = password.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return length >= goodLength && new Set(words).size >= 3 ? 'good' : 'fair'
}

/** Says while typing how to make a password strong. The server decides, because only it has the dictionaries. */
export const PasswordHint = ({ password }: { readonly password: string }) => {
  const t = useTexts('ui.passwordHint')
  if (password === '') return null
  const hint = hintOf(password)
  return (
    <Text size="sm" c={hint === 'good' ? 'green' : 'dimmed'} role="status">
      {t(hint)}
    </Text>
  )
}
