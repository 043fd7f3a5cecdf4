import { existsSync } from 'node:fs'
import { freePort, makeFolder, type BenchContext } from './context.ts'
import { hasNginx, startNginx } from './nginx.ts'

const modulePath = '/usr/lib/nginx/modules/ngx_rtmp_module.so'

/** Debian's libnginx-mod-rtmp. */
export const hasNginxRtmp = (): boolean => hasNginx() && existsSync(modulePath)

export interface NginxRtmp {
  /** The stream name is appended. */
  readonly publishUrl: string
  readonly rtmpPort: number
  readonly url: string
  readonly playlistOf: (streamName: string) => string
  readonly workerProcessId: number
}

/** Uses segments of our duration and the shortest possible playlist. */
export const startNginxRtmp = async (context: BenchContext): Promise<NginxRtmp> => {
  const folder = await makeFolder(context, 'nginx-hls')
  const rtmpPort = await freePort()
  const { port, workerProcessId } = await startNginx(
    context,
    'nginx-rtmp',
    `location /hls/ { alias ${folder}/; add_header Cache-Control no-cache; open_file_cache off; }`,
    '',
    `load_module ${modulePath};
rtmp { access_log off; server {
  listen 127.0.0.1:${rtmpPort};
  application live { live on; hls on; hls_path ${folder}; hls_fragment 2s; hls_playlist_length 12s; }
} }`,
  )
  const url = `http://127.0.0.1:${port}`
  return {
    publishUrl: `rtmp://127.0.0.1:${rtmpPort}/live`,
    rtmpPort,
    url,
    playlistOf: (streamName) => `${url}/hls/${streamName}.m3u8`,
    workerProcessId,
  }
}
