export type ProblemParams = Readonly<Record<string, string | number>>

type NameIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never

/** The values of the placeholders of a text: `'Project {projectId} is live.'` takes `{ projectId }`. */
export type ParamsOf<Text extends string> = Readonly<Record<NameIn<Text>, string | number>>

export const fillText = (text: string, params: ProblemParams): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))
