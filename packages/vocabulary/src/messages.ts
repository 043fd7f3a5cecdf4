type NameIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never

/** The values of the placeholders of a text: `'Project {projectId} is live.'` takes `{ projectId }`. */
export type ParamsOf<Text extends string> = Readonly<Record<NameIn<Text>, string | number | Cause>>

/** A message inside of another one. Clients do not need its English text. */
export interface Cause extends Reason {
  readonly text?: string
}

export const fillText = (text: string, params: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))

/** What clients need to render a message in their language. */
export interface Reason {
  readonly reason: string
  readonly params: MessageParams
}

/** A message that wraps another one has it as `cause`. */
export interface MessageParams {
  readonly [name: string]: string | number | Reason
}

/** A sentence for users, in English and as a reason with params. */
export interface Message extends Reason {
  readonly text: string
}

type MessageParamsOf<Text extends string> = {
  readonly [Name in NameIn<Text>]: Name extends 'cause' ? Message : string | number
}

/** The params may be left out when the text has none. */
type Params<Text extends string> = keyof MessageParamsOf<Text> extends never
  ? []
  : [params: MessageParamsOf<Text>]

/** Returns a function that makes the messages of a table, from reasons to texts with placeholders. */
export const createMessages =
  <const Texts extends Readonly<Record<string, string>>>(texts: Texts) =>
  <Name extends keyof Texts & string>(reason: Name, ...[given]: Params<Texts[Name]>): Message => {
    const values: Readonly<Record<string, string | number | Message>> = given ?? {}
    const shown = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' ? value.text : value,
    ])
    return {
      reason,
      params: Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          typeof value === 'object' ? { reason: value.reason, params: value.params } : value,
        ]),
      ),
      text: fillText(texts[reason] ?? '', Object.fromEntries(shown)),
    }
  }

/** Returns the message of an error that has a reason. */
export const messageOf = ({ reason, params, message }: Reason & { readonly message: string }): Message => ({
  reason,
  params,
  text: message,
})
