/** Audio of an uploaded WAV file as 16 kHz mono Int16. Pure and bounded. */
import { Result } from "effect"
import { badWav, type WakeWordError } from "./WakeWordError.ts"

/** Largest file. Unit: bytes. Reason: 60 s of stereo float 32 at 48 kHz have 23 MB. */
export const maxWavBytes = 24 * 1024 * 1024

export interface WavLimits {
  /** Longest audio. Unit: seconds. */
  readonly seconds: number
}

/**
 * Reads PCM of 8, 16, 24 and 32 bits and float of 32 and 64 bits, with 1 to 8 channels and 4 to 192 kHz. Channels are
 * averaged. A failure states the reason without any part of the file.
 */
export const readWav = (bytes: Uint8Array, limits: WavLimits): Result.Result<Int16Array, WakeWordError> => {
  void [bytes, limits]
  return Result.fail(badWav("not implemented"))
}
