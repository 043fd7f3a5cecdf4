import { Accordion, Badge, Drawer, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../../ui/code-block.tsx'
import { useApiRequests, type ApiRequest } from './api-requests.ts'
import { useTexts } from '../texts.ts'

/** Quotes for a POSIX shell: in single quotes, only the single quote itself is special. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

export const curlOf = ({ method, path, body }: Pick<ApiRequest, 'method' | 'path' | 'body'>): string => {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${location.origin}${path}`)}`,
    `-H "Authorization: Bearer $KEY"`,
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ]
  return lines.join(' \\\n  ')
}

const sdkOf = (call: string): string =>
  `import { Zoetrope } from '@zoetrope/sdk'

const zoetrope = new Zoetrope({ baseUrl: '${location.origin}', apiKey: process.env.KEY })
await ${call}`

/** The requests of this screen, to repeat them with curl or the SDK. */
export const ApiRequestsDrawer = ({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) => {
  const t = useTexts('shell.apiRequests')
  const requests = useApiRequests()
  const [form, setForm] = useState('curl')
  return (
    <Drawer opened={isOpen} onClose={onClose} position="right" size="lg" title={t('title')}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('explained')}
        </Text>
        <SegmentedControl
          value={form}
          onChange={setForm}
          data={[
            { value: 'curl', label: 'curl' },
            { value: 'sdk', label: 'SDK' },
          ]}
        />
        {requests.length === 0 && <Text>{t('none')}</Text>}
        <Accordion variant="separated" multiple>
          {requests.map((request) => (
            <Accordion.Item key={request.id} value={String(request.id)}>
              <Accordion.Control>
                <Group gap="xs" wrap="nowrap">
                  <Badge variant="outline" color="gray" style={{ flexShrink: 0 }}>
                    {request.method}
                  </Badge>
                  <Text size="sm" ff="monospace" style={{ wordBreak: 'break-all' }}>
                    {request.path}
                  </Text>
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                {form === 'sdk' && request.sdk === null ? (
                  <Text size="sm">{t('noSdk')}</Text>
                ) : (
                  <CodeBlock code={form === 'curl' ? curlOf(request) : sdkOf(request.sdk ?? '')} />
                )}
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      </Stack>
    </Drawer>
  )
}
