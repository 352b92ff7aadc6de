import { randomUUID } from "node:crypto"
import fc from "fast-check"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { isLeftover, toEvict } from "#core/speech/Eviction.ts"
import { chainOf, restAfter, restTime } from "#core/speech/ProviderChain.ts"
import { nameOf } from "#core/speech/SpeechCache.ts"
import { speechError } from "#core/speech/SpeechError.ts"
import { maxSpokenCharacters, spokenText } from "#core/speech/SpokenText.ts"
import { parse, resolve } from "#core/speech/VoiceAliases.ts"

describe("VoiceAliases", () => {
  const aliases = Result.getOrThrow(
    parse(`{
    "default": {"local_gpu": "thorsten", "espeak-ng": "de"},
    "anna": {"local_gpu": "kerstin", "cloud": "de-DE-A", "espeak-ng": "de+f3"}
  }`)
  )

  it.each([
    ["an alias", "anna", "cloud", true, "de-DE-A"],
    ["an alias at a stand-in", "anna", "espeak-ng", false, "de+f3"],
    ["an alias without a voice there: the default's", "anna", "local_fast", false, undefined],
    ["none: the default's", undefined, "local_gpu", true, "thorsten"],
    ["blanks: the default's", "  ", "local_gpu", true, "thorsten"],
    ["a voice's own name, at the provider asked", "conrad", "cloud", true, "conrad"],
    ["a voice's own name, at a stand-in that would not know it", "conrad", "local_gpu", false, "thorsten"],
    ["a name espeak-ng would read as an option", "-f/etc/passwd", "espeak-ng", true, "de"],
    ["a name every object has", "constructor", "local_gpu", true, "constructor"]
  ] as const)("%s", (_, asked, engine, literal, voice) => {
    expect(resolve(aliases, asked, engine, literal)).toBe(voice)
  })

  it.each([
    ["no JSON", "anna=kerstin", "must be JSON"],
    ["a list", "[]", "must be an object"],
    ["a bare voice", `{"anna": "kerstin"}`, "must be an object"],
    ["another engine", `{"anna": {"gpu": "x"}}`, "gpu is none of local_fast, local_gpu, cloud, espeak-ng"],
    ["an option for espeak-ng", `{"anna": {"espeak-ng": "-w/tmp/x"}}`, "no voice of espeak-ng"],
    ["a path for espeak-ng", `{"anna": {"espeak-ng": "../../x"}}`, "no voice of espeak-ng"],
    ["a control character", `{"anna": {"cloud": "a\\u0000"}}`, "must be an object"]
  ])("refuses %s", (_, raw, message) => {
    const parsed = parse(raw)
    expect(Result.isFailure(parsed) ? parsed.failure : "accepted").toContain(message)
  })
})

describe("spokenText", () => {
  it("keeps spoken text and drops markup", () => {
    expect(spokenText("Achtung!\r\n\tServer \u202Eraum\u0000 [[h@loU]] Feuer\u00ADwehr")).toBe(
      "Achtung! Server raum h@loU Feuerwehr"
    )
    expect(spokenText(" \n\u200B\u0007 ")).toBe("")
  })

  it("marks truncation, cuts between words, and never exceeds the limit", () => {
    const cut = spokenText("wort ".repeat(10_000))
    expect(cut).toMatch(/wort …$/)
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.nat(60), (text, times) => {
        const spoken = spokenText(text.repeat(times))
        expect(spoken.length).toBeLessThanOrEqual(maxSpokenCharacters + 2)
        expect(spoken.isWellFormed()).toBe(true)
        expect(spoken).not.toMatch(/\p{Cc}|\[\[/u)
      })
    )
  })
})

describe("ProviderChain", () => {
  it("asks the requested provider, then the others, this machine last", () => {
    expect(chainOf("cloud", true)).toEqual(["cloud", "local_gpu", "local_fast", "espeak-ng"])
    expect(chainOf("local_gpu", true)).toEqual(["local_gpu", "local_fast", "espeak-ng"])
    expect(chainOf("local_fast", true)).toEqual(["local_fast", "local_gpu", "espeak-ng"])
    expect(chainOf("local_fast", true, ["cloud"])).toEqual(["local_fast", "cloud", "espeak-ng"])
    expect(chainOf("cloud", false)).toEqual(["espeak-ng"])
  })

  it("pauses the whole gateway for general failures, and no provider for faults of the request", () => {
    expect(restAfter({ _tag: "Unreachable", code: "ECONNREFUSED" })).toEqual({ milliseconds: restTime, whole: true })
    expect(restAfter({ _tag: "Refused", status: 401 })).toEqual({ milliseconds: restTime, whole: true })
    expect(restAfter({ _tag: "TimedOut", what: "cloud", milliseconds: 1 })).toEqual({
      milliseconds: restTime,
      whole: false
    })
    expect(restAfter({ _tag: "Refused", status: 503 }).whole).toBe(false)
    for (const status of [400, 413, 422]) expect(restAfter({ _tag: "Refused", status }).milliseconds).toBe(0)
    expect(restAfter({ _tag: "NotInstalled", program: "ffmpeg", command: "" }).milliseconds).toBe(0)
  })

  it("tells which errors a retry can resolve", () => {
    expect(speechError({ _tag: "Storage", code: "ENOSPC" }).retryable).toBe(true)
    expect(speechError({ _tag: "Refused", status: 503 }).retryable).toBe(true)
    expect(speechError({ _tag: "Refused", status: 422 }).retryable).toBe(false)
    expect(speechError({ _tag: "NotInstalled", program: "espeak-ng", command: "apt install espeak-ng" })).toMatchObject(
      { retryable: false, message: "espeak-ng is not installed: apt install espeak-ng" }
    )
  })
})

describe("the cache's decisions", () => {
  const files = [
    { name: "new", bytes: 40, usedMs: 3 },
    { name: "old", bytes: 40, usedMs: 1 },
    { name: "middle", bytes: 40, usedMs: 2 }
  ]

  it("evicts the least recently used files, but not the one just written", () => {
    expect(toEvict(files, 120, undefined)).toEqual({ names: [], left: 120 })
    expect(toEvict(files, 100, undefined)).toEqual({ names: ["old"], left: 80 })
    expect(toEvict(files, 88, undefined)).toEqual({ names: ["old", "middle"], left: 40 })
    expect(toEvict(files, 100, "old")).toEqual({ names: ["middle"], left: 80 })
    expect(toEvict(files, 0, undefined).names).toHaveLength(3)
  })

  it("removes only unfinished files of dead processes", () => {
    const half = `.${"a".repeat(64)}.wav.${randomUUID()}.tmp`
    expect(isLeftover(half, 3_600_000)).toBe(true)
    expect(isLeftover(half, 1_000)).toBe(false)
    for (const name of [".hidden.tmp", "notes.tmp", `${"a".repeat(64)}.wav`])
      expect(isLeftover(name, 3_600_000)).toBe(false)
  })

  it("derives the file name from all parameters", () => {
    const names = [
      nameOf("a", "cloud", "v", "wav"),
      nameOf("b", "cloud", "v", "wav"),
      nameOf("a", "local_gpu", "v", "wav"),
      nameOf("a", "cloud", undefined, "wav"),
      nameOf("a", "cloud", "v", "ogg"),
      nameOf("a", "cloud", "", "wav")
    ]
    expect(new Set(names).size).toBe(names.length)
    expect(nameOf("a", "cloud", "v", "wav")).toBe(names[0])
  })
})
