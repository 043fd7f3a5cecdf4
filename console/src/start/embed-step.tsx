import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { embedCode } from '../ui/embed/embed-code.ts'
import { firstFileQuery, isSample } from './facts.ts'
import { tick } from './kept-ticks.ts'

export const EmbedStep = () => {
  const t = useTexts('start.embedStep')
  const { User } = useSession()
  const { data: file } = useQuery(firstFileQuery)
  const uri = file?.Playouts[0]?.EmbedURI ?? null
  if (file == null || uri === null) return <Text>{t('none')}</Text>
  return (
    <Stack gap="sm">
      <Text>{t(isSample(file) ? 'about' : 'aboutOwn')}</Text>
      <CodeBlock
        code={embedCode(uri, file.Metadata.Title || file.Name)}
        onCopied={() => tick(User.Id, ['embed'])}
      />
    </Stack>
  )
}
