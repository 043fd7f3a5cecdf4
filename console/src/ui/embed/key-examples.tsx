import { Text } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { CodeBlock } from '../code-block.tsx'

const curlOf = (token: string): string =>
  `curl -H "Authorization: Bearer ${token}" \\\n  ${location.origin}/v3/me`

const sdkOf = (token: string): string => `import { Zoetrope } from '@zoetrope/sdk'

const zoetrope = new Zoetrope({
  baseUrl: '${location.origin}',
  apiKey: '${token}',
})
for await (const project of zoetrope.projects.list()) console.log(project.Name)`

/** First requests with a new API key. */
export const KeyExamples = ({ token }: { readonly token: string }) => {
  const t = useTexts('ui.keyExamples')
  return (
    <>
      <Text size="sm" fw={500}>
        {t('curl')}
      </Text>
      <CodeBlock code={curlOf(token)} />
      <Text size="sm" fw={500}>
        {t('sdk')}
      </Text>
      <CodeBlock code={sdkOf(token)} />
    </>
  )
}
