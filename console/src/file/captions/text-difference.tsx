import { Text } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { fromFirstDifference } from './caption-values.ts'

/** One of two texts, in the dialog that asks which to keep. */
export const TextDifference = ({ text, other }: { readonly text: string; readonly other: string }) => {
  const t = useTexts('file.captionForm')
  const { line, rest } = fromFirstDifference(text, other)
  return (
    <>
      <Text span size="xs" c="dimmed" display="block">
        {t('fromLine', { line })}
      </Text>
      <span style={{ whiteSpace: 'pre-line' }}>{rest}</span>
    </>
  )
}
