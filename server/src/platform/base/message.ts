import { createMessages, type Message, type MessageParams } from '@zoetrope/vocabulary'
import { messageTexts } from './problem-texts/message-texts.ts'

/** Makes a message of the server. Reasons and texts are in `problem-texts/messages`. */
export const newMessage = createMessages(messageTexts)

/** `Message` of a record with its reason and params. */
export const messageFields = ({ reason, params, text }: Message) => ({
  Message: text,
  Reason: reason,
  Params: params,
})

const longestParam = 1_000

/** Params as JSON text for the database, which refuses NUL and lone surrogates in JSON. */
export const storedParams = (params: MessageParams): string =>
  JSON.stringify(params, (_name, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').slice(0, longestParam).toWellFormed() : value,
  )
