/** Smoothing factor of the offset between audio and video. */
const driftWeight = 0.02
const driftBaselineFrames = 100

export class AudioDrift {
  #lastAudioMs: number | null = null
  #offsetMs: number | null = null
  #baselineMs = 0
  #frames = 0

  begin(): void {
    this.#lastAudioMs = null
    this.#offsetMs = null
    this.#frames = 0
  }

  get driftMs(): number | null {
    return this.#offsetMs === null ? null : this.#offsetMs - this.#baselineMs
  }

  addAudio(stampMs: number): void {
    this.#lastAudioMs = stampMs
  }

  addVideo(stampMs: number): void {
    if (this.#lastAudioMs === null) return
    const offsetMs = this.#lastAudioMs - stampMs
    this.#offsetMs =
      this.#offsetMs === null ? offsetMs : this.#offsetMs + (offsetMs - this.#offsetMs) * driftWeight
    this.#frames++
    // The baseline follows the offset until enough frames have arrived.
    if (this.#frames <= driftBaselineFrames) this.#baselineMs = this.#offsetMs
  }
}
