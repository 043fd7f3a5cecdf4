import { alignDecodeTimes } from '@zoetrope/isobmff/align-decode-times'
import type Hls from 'hls.js'
import type { FragmentLoaderConstructor, FragmentLoaderContext, Loader, LoaderCallbacks } from 'hls.js'

/**
 * Returns a fragment loader for hls.js that makes the decode time of each segment equal to the time of its first
 * picture. hls.js starts the timeline at the first decode time, which reordered frames put before the first
 * picture, so it would otherwise seek over a gap at the start.
 */
export const aligningLoader = (engine: typeof Hls): FragmentLoaderConstructor => {
  const Base = engine.DefaultConfig.loader as new (
    ...args: ConstructorParameters<FragmentLoaderConstructor>
  ) => Loader<FragmentLoaderContext>
  return class extends Base {
    override load(...[context, config, callbacks]: Parameters<Loader<FragmentLoaderContext>['load']>): void {
      const onSuccess: LoaderCallbacks<FragmentLoaderContext>['onSuccess'] = (response, ...more) => {
        if (response.data instanceof ArrayBuffer) alignDecodeTimes(new Uint8Array(response.data))
        callbacks.onSuccess(response, ...more)
      }
      super.load(context, config, { ...callbacks, onSuccess })
    }
  }
}
