import { freePort, makeFolder, type BenchContext } from './context.ts'
import { startProduct, type Product } from './product.ts'

export const startLiveProduct = async (
  context: BenchContext,
  environment: Readonly<Record<string, string>> = {},
): Promise<Product & { readonly rtmpPort: number; readonly liveProcessId: () => number | null }> => {
  const rtmpPort = await freePort()
  const product = await startProduct(context, await makeFolder(context, 'data'), {
    ZOETROPE_RTMP_PORT: String(rtmpPort),
    ZOETROPE_SRT_PORT: '0',
    ...environment,
  })
  return {
    ...product,
    rtmpPort,
    liveProcessId: () =>
      product.descendants().find(({ commandLine }) => commandLine.endsWith('--role live'))?.processId ?? null,
  }
}

export interface LiveStream {
  readonly projectId: number
  readonly streamKey: string
  readonly publishUrl: string
  readonly playerUrl: string
}

/** Creates a live stream without an earlier broadcast. */
export const makeLiveStream = async (product: Product, settings: object): Promise<LiveStream> => {
  const { body: project } = await product.call('POST', '/projects', { Name: 'Live' })
  const path = `/projects/${project.Id}/live`
  const { body: ingest } = await product.call('PUT', `${path}/ingest`, settings)
  const { body: output } = await product.call('GET', `${path}/output`)
  const { ServerURI, StreamName } = ingest.StreamInConnection
  return {
    projectId: project.Id,
    streamKey: StreamName,
    publishUrl: `${ServerURI}/${StreamName}`,
    playerUrl: output.EmbedCodes.PlayerURL,
  }
}
