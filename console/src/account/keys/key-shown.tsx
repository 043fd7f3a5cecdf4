import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyField } from '../../ui/copy-field.tsx'

const curlWith = (token: string): string => `curl '${location.origin}/v3/me' \\
  -H 'Authorization: Bearer ${token}'`

const sdkWith = (token: string): string => `import { Zoetrope } from '@zoetrope/sdk'

const zoetrope = new Zoetrope({
  baseUrl: '${location.origin}',
  apiKey: '${token}',
})
console.log(await zoetrope.projects.list())`

export const KeyShown = ({ token, onClose }: { readonly token: string; readonly onClose: () => void }) => {
  const t = useTexts('account.apiKeys')
  return (
    <Stack>
      <Alert color="blue" variant="outline" role="status">
        {t('shown')}
      </Alert>
      <CopyField label={t('token')} value={token} />
      <Text size="sm">{t('curl')}</Text>
      <CodeBlock code={curlWith(token)} />
      <Text size="sm">{t('sdk')}</Text>
      <CodeBlock code={sdkWith(token)} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('done')}</Button>
      </Group>
    </Stack>
  )
}
