import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { beginSession, useSession } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { UnsavedChanges } from '../../ui/forms/unsaved-changes.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'

export const ChangeName = () => {
  const t = useTexts('account.changeName')
  const client = useQueryClient()
  const session = useSession()
  const form = useSaveForm({
    initialValues: { Name: session.User.Name },
    save: (profile) => zoetrope.users.updateMe(profile),
    valuesAfter: ({ User }) => ({ Name: User.Name }),
    onSaved: async ({ User }) => {
      beginSession({ ...session, User })
      await client.invalidateQueries({ queryKey: queryKeys.users })
    },
  })
  const { saving } = form
  return (
    <form onSubmit={form.submit}>
      <UnsavedChanges isDirty={form.isDirty()} />
      <Stack maw={420}>
        <TextInput
          label={t('name')}
          description={t('explained')}
          autoComplete="name"
          maxLength={200}
          {...form.getInputProps('Name')}
          onChange={(event) => {
            form.setFieldValue('Name', event.currentTarget.value)
            form.clearErrors()
            saving.reset()
          }}
        />
        <ProblemAlert error={form.problem} />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {t('save')}
          </Button>
          <span role="status">{saving.isSuccess && t('saved')}</span>
        </Group>
      </Stack>
    </form>
  )
}
