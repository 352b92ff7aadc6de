/** Listens with the library, as long as the page is open. */
import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { request } from "../../../lib/Call.ts"
import { on } from "../../../lib/Socket.ts"
import { type EngineChoice, type Listener, type ListenerState, makeListener } from "../../../wake-word/WakeWord.ts"
import { type HeardWake, withScore, withWake } from "./Scores.ts"

export interface Trial {
  readonly state: Signal<ListenerState>
  readonly level: Signal<number>
  readonly scores: Signal<ReadonlyArray<number>>
  readonly wakes: Signal<ReadonlyArray<HeardWake>>
  /** Whether it listens, or tries to. */
  readonly on: boolean
  /** `word`: for the browser's own recognition. Ends a trial that runs. */
  readonly start: (engine: EngineChoice, word: string) => void
  readonly stop: () => void
}

export const useListener = (): Trial => {
  const state = useSignal<ListenerState>({ kind: "off" })
  const level = useSignal(0)
  const scores = useSignal<ReadonlyArray<number>>([])
  const wakes = useSignal<ReadonlyArray<HeardWake>>([])
  const listener = useRef<Listener | undefined>(undefined)
  const stop = () => {
    listener.current?.stop()
    listener.current = undefined
    level.value = 0
  }
  const start = (engine: EngineChoice, word: string) => {
    stop()
    scores.value = []
    const made = makeListener({
      engine,
      scores: true,
      ...(word === "" ? {} : { word }),
      ask: (path) => request(path),
      onState: (next) => {
        state.value = next
        if (next.kind === "fallback" || next.kind === "stopped") level.value = 0
      },
      onLevel: (next) => (level.value = next),
      onScore: (score) => (scores.value = withScore(scores.value, score)),
      onWake: (wake) => (wakes.value = withWake(wakes.value, { ...wake, at: Date.now() }))
    })
    listener.current = made
    made.start()
  }
  useEffect(() => {
    const end = on("wakeword.model.activated", () => listener.current?.refresh())
    return () => {
      end()
      stop()
    }
  }, [])
  const { kind } = state.value
  return { state, level, scores, wakes, on: kind !== "off" && kind !== "stopped", start, stop }
}
