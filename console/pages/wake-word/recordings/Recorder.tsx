import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { words } from "../../../lib/Language.ts"
import { levelOf } from "../../../wake-word/Framing.ts"
import { type Microphone, openMicrophone } from "../../../wake-word/Microphone.ts"
import { hasMicrophone } from "../../../wake-word/WakeWord.ts"
import { fixed } from "../Figures.ts"
import { LevelMeter } from "../LevelMeter.tsx"
import { Take, wavOf } from "./Wav.ts"

const t = words({
  en: {
    record: "Record",
    stop: "Stop",
    left: (seconds: string) => `${seconds} s left`,
    none: "Browsers give a microphone only to pages with https, so you can only upload files here.",
    refused: "The browser may not use the microphone. Allow it beside the address.",
    missing: "No microphone was found."
  },
  de: {
    record: "Aufnehmen",
    stop: "Anhalten",
    left: (seconds: string) => `noch ${seconds} s`,
    none: "Browser geben nur Seiten mit https ein Mikrofon, deshalb lassen sich hier nur Dateien hochladen.",
    refused: "Der Browser darf das Mikrofon nicht verwenden. Erlauben Sie es neben der Adresse.",
    missing: "Es wurde kein Mikrofon gefunden."
  }
})

/** Longest recording. Unit: seconds. Source: interface document 3 §8. */
export const maxSeconds = 3

/** Records from the microphone, at most three seconds. `made`: receives the WAV file. */
export const Recorder = ({ made }: { readonly made: (file: Blob) => void }) => {
  const level = useSignal(0)
  const left = useSignal<number | undefined>(undefined)
  const problem = useSignal<"refused" | "missing" | undefined>(undefined)
  const finish = useRef<((keep: boolean) => void) | undefined>(undefined)
  useEffect(() => () => finish.current?.(false), [])

  const record = async () => {
    problem.value = undefined
    left.value = maxSeconds
    const take = new Take(maxSeconds)
    let microphone: Microphone | undefined
    let over = false
    const end = (keep: boolean) => {
      if (over) return
      over = true
      microphone?.close()
      finish.current = left.value = undefined
      level.value = 0
      if (keep && take.length > 0) made(new Blob([wavOf(take.samples)], { type: "audio/wav" }))
    }
    finish.current = end
    try {
      microphone = await openMicrophone(
        (frame) => {
          if (over) return
          const full = take.push(frame)
          level.value = levelOf(frame)
          left.value = maxSeconds - Math.floor(take.length / 100) / 10
          if (full) end(true)
        },
        () => end(true)
      )
      // The page was left while the browser asked for permission.
      if (over) microphone.close()
    } catch (error) {
      end(false)
      problem.value = (error as DOMException).name === "NotAllowedError" ? "refused" : "missing"
    }
  }

  if (!hasMicrophone()) return <p class="soft">{t().none}</p>
  return (
    <div class="wake-recorder">
      {left.value === undefined ? (
        <button type="button" onClick={() => void record()}>
          {t().record}
        </button>
      ) : (
        <>
          <button type="button" class="danger" onClick={() => finish.current?.(true)}>
            {t().stop}
          </button>
          <LevelMeter level={level} />
          <span class="soft">{t().left(fixed(left.value, 1))}</span>
        </>
      )}
      <div role="alert">{problem.value === undefined ? null : <p class="trouble">{t()[problem.value]}</p>}</div>
    </div>
  )
}
