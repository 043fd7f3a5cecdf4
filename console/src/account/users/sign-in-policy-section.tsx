import { Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Section } from '../../ui/section.tsx'

export const SignInPolicySection = () => {
  const t = useTexts('account.signInPolicy')
  const client = useQueryClient()
  const can = useCan()
  const { data: policy, error } = useQuery({
    queryKey: queryKeys.signInPolicy,
    queryFn: ({ signal }) => zoetrope.users.signInPolicy({ signal }),
  })
  const change = useMutation({
    mutationFn: (RequiresTwoFactors: boolean) => zoetrope.users.updateSignInPolicy({ RequiresTwoFactors }),
    onSuccess: (after) => client.setQueryData(queryKeys.signInPolicy, after),
  })
  return (
    <Section title={t('title')}>
      <ProblemAlert error={error ?? change.error} />
      {policy !== undefined && (
        <Switch
          label={t('twoFactors')}
          description={t('explained')}
          checked={policy.RequiresTwoFactors}
          disabled={!can('users:write') || change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
        />
      )}
    </Section>
  )
}
