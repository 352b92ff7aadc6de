/** Types and limits shared by the speech modules. No I/O. */

/** Speech providers. Source: provider identifiers of the interface document. */
export const providers = ["local_fast", "local_gpu", "cloud"] as const
export type Provider = (typeof providers)[number]

/** A provider behind the gateway, or the local espeak-ng, which is reported as `local_fast`. */
export type Engine = Provider | "espeak-ng"

/**
 * Output formats. wav: 16 kHz mono s16le; ogg: Opus 48 kHz mono, as messengers require for voice messages; mp3: 44.1
 * kHz mono.
 */
export const audioFormats = ["wav", "ogg", "mp3"] as const
export type AudioFormat = (typeof audioFormats)[number]

/**
 * Longest accepted or generated audio. Unit: milliseconds. Reason: twice the time that `maxSpokenCharacters` take when
 * spoken slowly.
 */
export const maxDuration = 600_000

/**
 * Largest accepted or generated audio file. Unit: bytes. Reason: `maxDuration` of 16 kHz mono is 19.2 MB, and four such
 * files fit in memory.
 */
export const maxAudioBytes = 24 * 1024 * 1024

/** Content type of each format. */
export const contentTypes: Readonly<Record<AudioFormat, string>> = {
  wav: "audio/wav",
  ogg: "audio/ogg",
  mp3: "audio/mpeg"
}

/** File name of cached audio. Other files in the cache folder are never read or served. */
export const audioName = /^[0-9a-f]{64}\.(wav|ogg|mp3)$/
