import { filesMessages } from './messages/files.ts'
import { liveMessages } from './messages/live.ts'
import { outboundMessages } from './messages/outbound.ts'
import { providerMessages } from './messages/provider.ts'
import { pullsMessages } from './messages/pulls.ts'
import { webhooksMessages } from './messages/webhooks.ts'

/** English text of each message that a record shows, such as `ErrorMessage` of a file. */
export const messageTexts = {
  ...filesMessages,
  ...liveMessages,
  ...outboundMessages,
  ...providerMessages,
  ...pullsMessages,
  ...webhooksMessages,
} as const
