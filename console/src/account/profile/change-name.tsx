import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { beginSession, useSession } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { fieldErrors } from '../../ui/field-errors.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'

export const ChangeName = () => {
  const t = useTexts('account.changeName')
  const client = useQueryClient()
  const session = useSession()
  const [Name, setName] = useState(session.User.Name)
  const save = useMutation({
    mutationFn: () => zoetrope.users.updateMe({ Name }),
    onSuccess: async ({ User }) => {
      setName(User.Name)
      beginSession({ ...session, User })
      await client.invalidateQueries({ queryKey: queryKeys.users })
    },
  })
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  const nameError = fieldErrors(save.error)['Name']
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        <TextInput
          label={t('name')}
          description={t('explained')}
          autoComplete="name"
          maxLength={200}
          value={Name}
          error={nameError}
          onChange={(event) => {
            setName(event.currentTarget.value)
            save.reset()
          }}
        />
        {nameError === undefined && <ProblemAlert error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
          <span role="status">{save.isSuccess && t('saved')}</span>
        </Group>
      </Stack>
    </form>
  )
}
