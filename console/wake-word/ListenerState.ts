/** What a listener is doing, and its options. */
import type { ReconnectPlan } from "./Backoff.ts"

/** Answer of `GET /api/v1/wakeword/status`, as far as the listener uses it. */
export interface WakeWordStatus {
  readonly state: "listening" | "no_model" | "unavailable"
  readonly model: {
    readonly name: string
    readonly word: string
    readonly language: string
    readonly threshold: number
    readonly extractor: string
    readonly sha256: string
  } | null
  readonly websocket_url: string | null
}

export type ActiveModel = NonNullable<WakeWordStatus["model"]>

/** `server`: the sound goes over the socket. `browser`: nothing leaves the browser. */
export type EngineChoice = "server" | "browser"

/** Why the browser's own recognition listens, or nothing does. */
export type FallbackReason =
  /** No model is active. */
  | "no_model"
  /** The server cannot run the model, or the browser's engine cannot. */
  | "unavailable"
  /** All reconnects failed. */
  | "server_gone"

export type StopReason =
  | FallbackReason
  | "microphone_refused"
  | "microphone_missing"
  /** The browser's own recognition refused or ended. */
  | "recognition_failed"

export type ListenerState =
  | { readonly kind: "off" }
  | { readonly kind: "starting" }
  | { readonly kind: "listening"; readonly by: EngineChoice; readonly model: ActiveModel }
  /** Connects again after `delay` milliseconds. `attempt`: 1 to `attempts`. */
  | { readonly kind: "reconnecting"; readonly attempt: number; readonly attempts: number; readonly delay: number }
  | { readonly kind: "fallback"; readonly reason: FallbackReason; readonly word: string }
  /** Nothing listens until the next `start`. */
  | { readonly kind: "stopped"; readonly reason: StopReason }

export interface Wake {
  /** 0 to 1. */
  readonly score: number
  readonly word: string
  readonly by: EngineChoice | "recognition"
}

export interface ListenerOptions {
  readonly engine: EngineChoice
  /** Fetches a path of the API with the user's access token. Default: `fetch`. May reject for a refusal. */
  readonly ask?: (path: string) => Promise<Response>
  readonly onWake: (wake: Wake) => void
  readonly onState?: (state: ListenerState) => void
  /** Score of each step of 80 ms, 0 to 1. Only from the engine in the browser: the server sends wakes only. */
  readonly onScore?: (score: number) => void
  /** Level of each frame of 16 ms: root mean square, 0 to 1. */
  readonly onLevel?: (level: number) => void
  /** Computes scores in the browser also while the server listens. Needs `onScore`. */
  readonly scores?: boolean
  /** Word for the browser's own recognition while no model is active. With a model its word is used. */
  readonly word?: string
  /** Language of `word`: ISO 639-1. Default: that of the page. */
  readonly language?: string
  /** Default: the system's microphone. */
  readonly microphone?: () => Promise<MediaStream>
  /** Default: five reconnects from 1 s on. */
  readonly reconnect?: Partial<ReconnectPlan>
}

export interface Listener {
  /** Begins to listen, with the microphone. Call it after a click. Does nothing while it listens. */
  readonly start: () => void
  /** Ends everything and releases the microphone. */
  readonly stop: () => void
  /** Asks for the active model again. Call it after the event `wakeword.model.activated`. */
  readonly refresh: () => void
}
