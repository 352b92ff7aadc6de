/**
 * Names of voices: an alias stands for one voice at each engine, so that a caller says "anna" and a fallback still
 * finds somebody. Pure.
 *
 * {"default": {"local_gpu": "thorsten", "espeak-ng": "de"}, "anna": {"local_gpu": "kerstin", "cloud": "de-DE-A",
 * "espeak-ng": "de+f3"}}
 */
import { Result, Schema } from "effect"
import { type Engine, providers } from "./Audio.ts"

/** The voice of each engine by alias; the alias `default` holds for whoever names none. */
export type VoiceAliases = Readonly<Record<string, Readonly<Partial<Record<Engine, string>>>>>

/** The alias whose voices stand in where another has none. */
export const defaultAlias = "default"

/** Unit: characters. Reason: names of voices are words. */
export const maxVoiceCharacters = 100

const Voice = Schema.String.check(Schema.isPattern(/^[^\p{Cc}]{1,100}$/u))

/** An engine of `engines` that an alias may name. */
const engines: ReadonlyArray<string> = [...providers, "espeak-ng"]

const decode = Schema.decodeUnknownResult(Schema.Record(Schema.String, Schema.Record(Schema.String, Voice)))

/** Reads the setting; a failure says what is wrong in a sentence. */
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

/** Whether espeak-ng may be given this voice as an argument: no option, no path. */
export const isEspeakVoice = (voice: string): boolean => /^[A-Za-z0-9][\w+-]{0,40}$/.test(voice)

/**
 * The voice `engine` is asked for; undefined: its own default. `asked` is an alias or, for the engine that was asked
 * for (`literal`), a voice's own name; another engine would not know that name.
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
