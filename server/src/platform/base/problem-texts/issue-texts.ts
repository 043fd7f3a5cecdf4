import { valuesIssues } from './issues/values.ts'
import { accountsIssues } from './issues/accounts.ts'
import { libraryIssues } from './issues/library.ts'
import { uploadsIssues } from './issues/uploads.ts'
import { outboundAddressesIssues } from './issues/outbound-addresses.ts'
import { playbackIssues } from './issues/playback.ts'
import { webhooksIssues } from './issues/webhooks.ts'
import { liveIssues } from './issues/live.ts'

/** English text of each issue with one value, which follows the name of the field. */
export const issueTexts = {
  ...valuesIssues,
  ...accountsIssues,
  ...libraryIssues,
  ...uploadsIssues,
  ...outboundAddressesIssues,
  ...playbackIssues,
  ...webhooksIssues,
  ...liveIssues,
} as const
