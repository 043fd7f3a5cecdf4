import { statusOf } from '../../server/src/platform/base/problem.ts'
import { mediaMessageTexts } from '../../packages/ffmpeg/src/run/media-message-texts.ts'
import { issueTexts } from '../../server/src/platform/base/problem-texts/issue-texts.ts'
import { messageTexts } from '../../server/src/platform/base/problem-texts/message-texts.ts'
import { problemTexts } from '../../server/src/platform/base/problem-texts/problem-texts.ts'

const cell = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1)

/** docs/error-reasons.md, generated from the table that the messages of the API come from. */
export const reasonsPage = (): string =>
  [
    '# Error reasons',
    '',
    'Each [error](errors-and-limits.md) has a `reason` and its `params`. The message is the text of the reason, with the params in place of the names in braces.',
    'Clients in other languages translate the reasons. New releases can add reasons and reword texts; a reason keeps its meaning and its params.',
    'This page is written by `npm run openapi`.',
    '',
    '## Requests',
    '',
    '| `reason` | `type` | `code` | text |',
    '|---|---|---|---|',
    ...Object.entries(problemTexts)
      .toSorted(byName)
      .map(([reason, [code, text]]) => `| \`${reason}\` | \`${code}\` | ${statusOf[code]} | ${cell(text)} |`),
    '',
    '## Fields',
    '',
    'These are the reasons in `details`. If a single field is invalid, the error has the same reason, the `type` `invalid`, and the name of the field in `params.field`. The param `cause` is a [message](#messages-of-records), with its `reason` and `params`.',
    '',
    '| `reason` | text after the name of the field |',
    '|---|---|',
    ...Object.entries(issueTexts)
      .toSorted(byName)
      .map(([reason, text]) => `| \`${reason}\` | ${cell(text)} |`),
    '',
    '## Messages of records',
    '',
    'These are the reasons of messages in records: `ErrorReason` and `ErrorParams` of a file, `Reason` and `Params` of its `Warnings`, of entries of the live log and of `LastFailure` of a webhook, `LastErrorReason` and `LastErrorParams` of a delivery, `ErrorReason` and `ErrorParams` of its attempts. A message can also have a reason of the tables above, such as `storage_quota_exceeded`.',
    'The param `cause` is another message, with its `reason` and `params`. Records from the first release have no reason: show their English text. Warnings in the live log have none either: their `Code` names the message.',
    '',
    '| `reason` | text |',
    '|---|---|',
    ...Object.entries({ ...messageTexts, ...mediaMessageTexts })
      .toSorted(byName)
      .map(([reason, text]) => `| \`${reason}\` | ${cell(text)} |`),
    '',
  ].join('\n')
