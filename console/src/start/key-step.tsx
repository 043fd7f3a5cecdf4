import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryClient, queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { fieldErrors } from '../ui/forms/field-errors.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'

const curlOf = (token: string): string =>
  `curl -H "Authorization: Bearer ${token}" \\\n  ${location.origin}/v3/projects`

const sdkOf = (token: string): string => `import { Zoetrope } from '@zoetrope/sdk'

const zoetrope = new Zoetrope({
  baseUrl: '${location.origin}',
  apiKey: '${token}',
})
for await (const project of zoetrope.projects.list()) console.log(project.Name)`

export const KeyStep = () => {
  const t = useTexts('start.keyStep')
  const [label, setLabel] = useState(() => t('first'))
  const create = useMutation({
    mutationFn: () => zoetrope.apiKeys.create({ Label: label }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.apiKeys }),
  })
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    create.mutate()
  }
  const token = create.data?.Token
  if (token !== undefined)
    return (
      <Stack gap="sm">
        <Text role="status">{t('once')}</Text>
        <Text size="sm" fw={500}>
          {t('curl')}
        </Text>
        <CodeBlock code={curlOf(token)} />
        <Text size="sm" fw={500}>
          {t('sdk')}
        </Text>
        <CodeBlock code={sdkOf(token)} />
      </Stack>
    )
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text>{t('about')}</Text>
        <ProblemAlert error={create.error} />
        <Group align="flex-end">
          <TextInput
            label={t('label')}
            required
            maxLength={200}
            value={label}
            error={fieldErrors(create.error)['Label']}
            onChange={({ currentTarget }) => setLabel(currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending}>
            {t('create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
