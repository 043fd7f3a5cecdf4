import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { zoetrope } from '../shell/api.ts'
import { queryClient, queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { useSaveForm } from '../ui/forms/use-save-form.ts'
import { KeyExamples } from '../ui/embed/key-examples.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'

export const KeyStep = () => {
  const t = useTexts('start.keyStep')
  const form = useSaveForm({
    initialValues: { Label: t('first') },
    save: (key) => zoetrope.apiKeys.create(key),
    onSaved: () => queryClient.invalidateQueries({ queryKey: queryKeys.apiKeys }),
  })
  const { saving } = form
  const token = saving.data?.Token
  if (token !== undefined)
    return (
      <Stack gap="sm">
        <Text role="status">{t('once')}</Text>
        <KeyExamples token={token} />
      </Stack>
    )
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm">
        <Text>{t('about')}</Text>
        <ProblemAlert error={form.problem} />
        <Group align="flex-end">
          <TextInput label={t('label')} required maxLength={200} {...form.getInputProps('Label')} />
          <Button type="submit" loading={saving.isPending}>
            {t('create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
