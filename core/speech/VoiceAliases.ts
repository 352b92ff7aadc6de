/**
 * Voice aliases: an alias names one voice per engine, so a caller asks for "anna" and every substitute provider has a
 * matching voice. Pure.
 *
 * {"default": {"local_gpu": "thorsten", "espeak-ng": "de"}, "anna": {"local_gpu": "kerstin", "cloud": "de-DE-A",
 * "espeak-ng": "de+f3"}}
 */
import { Result, Schema } from "effect"
import { type Engine, providers } from "./Audio.ts"

/** Voice per engine, by alias. The alias `default` applies when no voice is requested. */
export type VoiceAliases = Readonly<Record<string, Readonly<Partial<Record<Engine, string>>>>>

/** The alias whose voices are used for engines that an alias does not name. */
export const defaultAlias = "default"

/** Longest voice name. Unit: characters. Reason: voice names are words. */
export const maxVoiceCharacters = 100

const Voice = Schema.String.check(Schema.isPattern(/^[^\p{Cc}]{1,100}$/u))

/** Engines that an alias may name. */
const engines: ReadonlyArray<string> = [...providers, "espeak-ng"]

const decode = Schema.decodeUnknownResult(Schema.Record(Schema.String, Schema.Record(Schema.String, Voice)))

/** Parses the setting; a failure is a sentence that describes the fault. */
export const parse = (raw: string): Result.Result<VoiceAliases, string> => {
  let json: unknown
  try {
    json = JSON.parse(raw)
  } catch {
    return Result.fail("must be JSON")
  }
  const decoded = decode(json)
  if (Result.isFailure(decoded)) {
    return Result.fail(
      `must be an object of aliases, each an object of engine and voice name (at most ${maxVoiceCharacters} characters)`
    )
  }
  for (const [alias, voices] of Object.entries(decoded.success)) {
    const unknown = Object.keys(voices).find((engine) => !engines.includes(engine))
    if (unknown !== undefined) return Result.fail(`${alias}: ${unknown} is none of ${engines.join(", ")}`)
    const espeak = voices["espeak-ng"]
    if (espeak !== undefined && !isEspeakVoice(espeak))
      return Result.fail(`${alias}: ${espeak} is no voice of espeak-ng such as de or de+f3`)
  }
  return Result.succeed(decoded.success)
}

/** Whether the voice is safe as an argument of espeak-ng: neither an option nor a path. */
export const isEspeakVoice = (voice: string): boolean => /^[A-Za-z0-9][\w+-]{0,40}$/.test(voice)

/**
 * The voice to request from `engine`; undefined for its default. `asked` is an alias or, when `literal` is set, a voice
 * name of that engine. Other engines do not know such a name.
 */
export const resolve = (
  aliases: VoiceAliases,
  asked: string | undefined,
  engine: Engine,
  literal: boolean
): string | undefined => {
  const wanted = asked?.trim() ?? ""
  const standIn = Object.hasOwn(aliases, defaultAlias) ? aliases[defaultAlias]?.[engine] : undefined
  if (wanted === "") return standIn
  if (Object.hasOwn(aliases, wanted)) return aliases[wanted]?.[engine] ?? standIn
  return literal && engine !== "espeak-ng" && /^[^\p{Cc}]{1,100}$/u.test(wanted) ? wanted : standIn
}
