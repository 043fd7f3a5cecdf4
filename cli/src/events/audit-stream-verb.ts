import type { Command } from '../command.ts'
import { flagOption, givenFields, idOption, stringOption, textOption } from '../options.ts'

export const auditStreamVerb: Command = {
  operations: ['streamAuditEntries'],
  usage: '[--after <entry id>] [--follow] [--action <a,b>] [--from <time>]',
  summary: 'Print the whole audit log, oldest first',
  details: 'With --json, each line is one whole entry. With --follow, new entries follow until Ctrl-C.',
  positionals: [],
  options: {
    after: textOption('start after this entry'),
    follow: flagOption('wait for new entries, and reconnect when needed'),
    action: textOption('only these actions or families such as user.*'),
    from: textOption('only entries at or after this time, such as 2026-03-01T00:00:00Z'),
  },
  run: async ({ client, output, options }) => {
    const query = givenFields({
      after: idOption(options, 'after'),
      follow: options['follow'] === true ? true : undefined,
      action: stringOption(options, 'action'),
      from: stringOption(options, 'from'),
    })
    for await (const entry of client.audit.stream(query))
      output.entry(
        { ...entry },
        `${entry.OccurredAt}  ${entry.Action}  ${entry.User?.Email ?? '-'}  ${entry.Subject} ${entry.SubjectId}  ${entry.Address}`,
      )
  },
}
