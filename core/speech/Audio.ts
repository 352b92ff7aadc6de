/**
 * The words of the speech service, shared by its parts. No I/O.
 */

/** Who speaks. Source: the interface document's provider identifiers. */
export const providers = ["local_fast", "local_gpu", "cloud"] as const
export type Provider = (typeof providers)[number]

/** A provider behind the gateway, or espeak-ng on this machine (told as `local_fast`). */
export type Engine = Provider | "espeak-ng"

/** wav: 16 kHz mono s16le; ogg: Opus 48 kHz mono, as messengers want voice messages; mp3: 44.1 kHz mono. */
export const audioFormats = ["wav", "ogg", "mp3"] as const
export type AudioFormat = (typeof audioFormats)[number]

/**
 * Longest audio that is taken or made. Unit: milliseconds. Reason: twice what `maxSpokenCharacters` takes to say
 * slowly.
 */
export const maxDuration = 600_000

/**
 * Largest audio file that is taken or made. Unit: bytes. Reason: `maxDuration` of 16 kHz mono is 19.2 MB; four of them
 * fit in memory.
 */
export const maxAudioBytes = 24 * 1024 * 1024

/** The content type each format is served with. */
export const contentTypes: Readonly<Record<AudioFormat, string>> = {
  wav: "audio/wav",
  ogg: "audio/ogg",
  mp3: "audio/mpeg"
}

/** A file of the cache; nothing else is ever read or served from its folder. */
export const audioName = /^[0-9a-f]{64}\.(wav|ogg|mp3)$/
