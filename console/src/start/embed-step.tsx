import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../shell/session.ts'
import { defineWords } from '../shell/words.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { embedCode } from '../ui/embed-code.ts'
import { firstFileQuery } from './facts.ts'
import { tick } from './kept-ticks.ts'

const useWords = defineWords('embed-step', {
  en: {
    about: 'This goes into any page. Only published files play there; the sample is.',
    none: 'There is no published video yet.',
  },
  de: {
    about: 'Das kommt in irgendeine Seite. Dort laufen nur veröffentlichte Dateien; das Beispiel ist eine.',
    none: 'Es gibt noch kein veröffentlichtes Video.',
  },
})

export const EmbedStep = () => {
  const t = useWords()
  const { User } = useSession()
  const { data: file } = useQuery(firstFileQuery)
  const uri = file?.Playouts[0]?.EmbedURI ?? null
  if (file == null || uri === null) return <Text>{t('none')}</Text>
  return (
    <Stack gap="sm">
      <Text>{t('about')}</Text>
      <CodeBlock
        code={embedCode(uri, file.Metadata.Title || file.Name)}
        onCopied={() => tick(User.Id, ['embed'])}
      />
    </Stack>
  )
}
