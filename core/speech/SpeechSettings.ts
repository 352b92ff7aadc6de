/** Settings of daemons that use speech; spread into the daemon's own settings. */
import { join } from "node:path"
import * as Settings from "../config/Settings.ts"
import { stored } from "../settings/StoredSetting.ts"
import { maxAudioBytes, type Provider, providers } from "./Audio.ts"
import { espeakVoice } from "./EspeakNg.ts"
import { localStandIns } from "./ProviderChain.ts"
import { isEspeakVoice, parse as parseVoices, type VoiceAliases } from "./VoiceAliases.ts"
import { Result } from "effect"

/** Reads the substitutes; a failure is a sentence. */
const standInsOf = (raw: string): Result.Result<ReadonlyArray<Provider>, string> => {
  const names = raw.split(",").map((name) => name.trim())
  const known = providers.filter((provider) => names.includes(provider))
  return known.length === names.length
    ? Result.succeed(known.toSorted((a, b) => names.indexOf(a) - names.indexOf(b)))
    : Result.fail(`must list each of ${providers.join(", ")} at most once`)
}

const noVoices: VoiceAliases = {}

export const speechSettings = {
  ttsUrl: stored(
    Settings.httpAddress("SIGNALBOX_TTS_URL", {
      doc: "Base address of the speech gateway (POST {address}/synthesize); unset: espeak-ng on this machine"
    }),
    {
      group: "speech",
      title: { en: "Address of the speech gateway", de: "Adresse des Sprach-Gateways" },
      help: {
        en: "Such as http://127.0.0.1:8200. Without it espeak-ng on this machine speaks.",
        de: "Zum Beispiel http://127.0.0.1:8200. Ohne Angabe spricht espeak-ng auf dieser Maschine."
      }
    }
  ),
  ttsToken: stored(
    Settings.secret("SIGNALBOX_TTS_TOKEN", {
      doc: "Bearer token for the speech gateway; unset: no token",
      check: (token) => (/^[!-~]+$/.test(token) ? undefined : "must be one word of ASCII characters")
    }),
    {
      group: "speech",
      title: { en: "Token of the speech gateway", de: "Token des Sprach-Gateways" },
      help: { en: "Only if the gateway requires one.", de: "Nur wenn das Gateway eines verlangt." }
    }
  ),
  ttsVoices: stored(
    Settings.parsed<VoiceAliases>(
      "SIGNALBOX_TTS_VOICES",
      {
        doc:
          'Aliases of voices, JSON or @/path: {"anna": {"local_gpu": "…", "cloud": "…", "espeak-ng": "de+f3"}}; ' +
          "the alias `default` applies where none is named",
        default: noVoices,
        shown: "none"
      },
      parseVoices
    ),
    {
      group: "speech",
      title: { en: "Voices", de: "Stimmen" },
      help: {
        en:
          'Names of voices as JSON: {"anna": {"local_gpu": "…", "espeak-ng": "de+f3"}}. ' +
          "`default` applies where none is named.",
        de:
          'Namen von Stimmen als JSON: {"anna": {"local_gpu": "…", "espeak-ng": "de+f3"}}. ' +
          "`default` gilt, wo keine genannt ist."
      },
      input: "long"
    }
  ),
  ttsStandIns: stored(
    Settings.parsed<ReadonlyArray<Provider>>(
      "SIGNALBOX_TTS_STAND_INS",
      {
        doc:
          "Providers of the speech gateway that speak, in this order, when the requested one fails; espeak-ng is the " +
          "last. The cloud gets texts of others only when it is named here",
        default: localStandIns,
        shown: localStandIns.join(",")
      },
      standInsOf
    ),
    {
      group: "speech",
      title: { en: "Substitute providers", de: "Ersatzanbieter" },
      help: {
        en: `Providers that speak, in this order, when the requested one fails: ${providers.join(", ")}.`,
        de: `Anbieter, die in dieser Reihenfolge sprechen, wenn der verlangte ausfällt: ${providers.join(", ")}.`
      }
    }
  ),
  ttsEspeakVoice: stored(
    {
      ...Settings.text("SIGNALBOX_TTS_ESPEAK_VOICE", { doc: "Voice and language of espeak-ng", default: espeakVoice }),
      parse: (raw: string) =>
        isEspeakVoice(raw.trim())
          ? Result.succeed(raw.trim())
          : Result.fail("must be a voice of espeak-ng such as de, en-gb or de+f3")
    },
    {
      group: "speech",
      title: { en: "Voice of espeak-ng", de: "Stimme von espeak-ng" },
      help: { en: "Such as de, en-gb or de+f3.", de: "Zum Beispiel de, en-gb oder de+f3." }
    }
  ),
  speechDir: Settings.optionalText("SIGNALBOX_SPEECH_DIR", {
    doc:
      "Folder for spoken audio that the telephone switch reads under the same path; unset: `speech` in the data " +
      "directory, and the switch fetches the audio by HTTP"
  }),
  speechBaseUrl: Settings.httpAddress("SIGNALBOX_SPEECH_BASE_URL", {
    doc: "Address at which the telephone switch fetches audio from the gateway; unset: the gateway's own address"
  }),
  speechCacheBytes: Settings.integer("SIGNALBOX_SPEECH_CACHE_BYTES", {
    doc: "Size of the audio cache on disk; the least recently used audio is deleted first",
    unit: "bytes",
    default: 256 * 1024 * 1024,
    min: maxAudioBytes * 2,
    max: 1024 ** 4
  })
}

export type SpeechConfig = Settings.Values<typeof speechSettings>

/** Folder of the speech cache. */
export const speechDirectory = (config: SpeechConfig, dataDir: string): string =>
  config.speechDir ?? join(dataDir, "speech")
