/** Listens for the wake word of the active model. See README.md. */
import { defaultPlan, delayBefore, nextAttempt } from "./Backoff.ts"
import { type BrowserEngine, openBrowserEngine } from "./BrowserEngine.ts"
import { hasRecognition, recognise } from "./BrowserRecognition.ts"
import { levelOf } from "./Framing.ts"
import type {
  ActiveModel,
  FallbackReason,
  Listener,
  ListenerOptions,
  ListenerState,
  StopReason,
  WakeWordStatus
} from "./ListenerState.ts"
import { type Microphone, openMicrophone } from "./Microphone.ts"
import { openLink, type ServerLink } from "./ServerLink.ts"

export const makeListener = (options: ListenerOptions): Listener => new WakeWordListener(options)

/** Everything that one start opened. A later start has its own, so late answers find that theirs is over. */
class Turn {
  over = false
  microphone: Microphone | undefined
  link: ServerLink | undefined
  engine: BrowserEngine | undefined
  endRecognition: (() => void) | undefined
  retry: ReturnType<typeof setTimeout> | undefined
  /** The model that was found last; its word is that of the recognition. */
  model: ActiveModel | undefined
  /** Reconnects since the last stable connection. */
  failed = 0

  /** Ends what takes sound from the microphone, and the microphone. */
  silence(): void {
    clearTimeout(this.retry)
    this.microphone?.close()
    this.link?.close()
    this.engine?.close()
    this.microphone = this.link = this.engine = undefined
  }

  end(): void {
    this.over = true
    this.silence()
    this.endRecognition?.()
  }
}

class WakeWordListener implements Listener {
  readonly #options: ListenerOptions
  #turn: Turn | undefined

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  start(): void {
    if (this.#turn !== undefined) return
    const turn = new Turn()
    this.#turn = turn
    this.#show({ kind: "starting" })
    void this.#begin(turn)
  }

  stop(): void {
    this.#turn?.end()
    this.#turn = undefined
    this.#show({ kind: "off" })
  }

  refresh(): void {
    if (this.#turn === undefined) return
    const { engine, link, model } = this.#turn
    const turn = this.#turn
    void this.#status().then(
      (status) => {
        if (turn.over || status.model?.sha256 === model?.sha256) return
        // The server changes the model of an open connection by itself.
        if (link !== undefined && engine === undefined && status.model !== null) {
          turn.model = status.model
          return this.#show({ kind: "listening", by: "server", model: status.model })
        }
        this.#turn?.end()
        this.#turn = undefined
        this.start()
      },
      () => {}
    )
  }

  async #begin(turn: Turn): Promise<void> {
    const status = await this.#status().catch(() => undefined)
    if (turn.over) return
    if (status !== undefined && !(await this.#usable(turn, status))) return
    if (!(await this.#openMicrophone(turn))) return
    if (status === undefined) return this.#again(turn, 0)
    await this.#listen(turn, status)
  }

  /** Whether an engine can listen; otherwise the fallback begins. */
  #usable(turn: Turn, { model, state }: WakeWordStatus): boolean {
    turn.model = model ?? undefined
    // An engine in the browser works also where the server's does not.
    if (model !== null && (state === "listening" || this.#options.engine === "browser")) return true
    this.#fallBack(turn, model === null ? "no_model" : "unavailable")
    return false
  }

  async #openMicrophone(turn: Turn): Promise<boolean> {
    const { microphone: open, onLevel } = this.#options
    try {
      const microphone = await openMicrophone(
        (frame) => {
          onLevel?.(levelOf(frame))
          turn.link?.push(frame)
          turn.engine?.push(frame)
        },
        () => this.#give(turn, "microphone_missing"),
        open
      )
      if (turn.over) microphone.close()
      else turn.microphone = microphone
      return !turn.over
    } catch (error) {
      const { name } = error as DOMException
      this.#give(turn, name === "NotAllowedError" ? "microphone_refused" : "microphone_missing")
      return false
    }
  }

  async #listen(turn: Turn, { model, websocket_url: url }: WakeWordStatus): Promise<void> {
    const { engine, scores = false } = this.#options
    if (engine === "server") this.#connect(turn, url!, model!)
    if (engine === "browser" || scores) await this.#compute(turn, model!)
  }

  #connect(turn: Turn, url: string, model: ActiveModel): void {
    /** Undefined until the connection is open. */
    let began: number | undefined
    turn.link = openLink(url, {
      opened: () => {
        began = performance.now()
        this.#show({ kind: "listening", by: "server", model })
      },
      wake: (score, word) => this.#options.onWake({ score, word, by: "server" }),
      closed: () => {
        turn.link = undefined
        this.#again(turn, began === undefined ? 0 : performance.now() - began)
      }
    })
  }

  async #compute(turn: Turn, model: ActiveModel): Promise<void> {
    const { ask = fetch, engine, onScore, onWake } = this.#options
    // Scores beside the server are an extra, which may fail.
    const fail = () => engine === "browser" && this.#fallBack(turn, "unavailable")
    try {
      const opened = await openBrowserEngine((path) => ask(path), model.extractor, {
        step: (score, wake) => {
          onScore?.(score)
          if (wake && engine === "browser") onWake({ score, word: model.word, by: "browser" })
        },
        failed: () => {
          turn.engine = undefined
          fail()
        }
      })
      if (turn.over || turn.microphone === undefined) return opened.close()
      turn.engine?.close()
      turn.engine = opened
      if (engine === "browser") this.#show({ kind: "listening", by: "browser", model })
    } catch {
      if (!turn.over) fail()
    }
  }

  /** Plans the next attempt, or falls back after the last one. `open`: how long the connection was. */
  #again(turn: Turn, open: number): void {
    if (turn.over) return
    const plan = { ...defaultPlan, ...this.#options.reconnect }
    const attempt = nextAttempt(turn.failed, open, plan)
    const delay = delayBefore(attempt, plan, Math.random())
    if (delay === undefined) return this.#fallBack(turn, "server_gone")
    turn.failed = attempt
    this.#show({ kind: "reconnecting", attempt, attempts: plan.attempts, delay })
    turn.retry = setTimeout(() => void this.#reconnect(turn), delay)
  }

  /** Each attempt needs a ticket of its own. */
  async #reconnect(turn: Turn): Promise<void> {
    const status = await this.#status().catch(() => undefined)
    if (turn.over) return
    if (status === undefined) return this.#again(turn, 0)
    if (!this.#usable(turn, status)) return
    if (this.#options.engine === "server") this.#connect(turn, status.websocket_url!, status.model!)
    else await this.#compute(turn, status.model!)
  }

  #fallBack(turn: Turn, reason: FallbackReason): void {
    if (turn.over) return
    const { language = document.documentElement.lang.slice(0, 2), onWake } = this.#options
    const word = turn.model?.word ?? this.#options.word
    if (word === undefined || !hasRecognition()) return this.#give(turn, reason)
    turn.silence()
    this.#show({ kind: "fallback", reason, word })
    turn.endRecognition = recognise(
      word,
      turn.model?.language ?? language,
      (score) => onWake({ score, word, by: "recognition" }),
      () => this.#give(turn, "recognition_failed")
    )
  }

  /** Stops, and says why. */
  #give(turn: Turn, reason: StopReason): void {
    if (turn.over) return
    turn.end()
    this.#turn = undefined
    this.#show({ kind: "stopped", reason })
  }

  async #status(): Promise<WakeWordStatus> {
    const answer = await (this.#options.ask ?? fetch)("/api/v1/wakeword/status")
    if (!answer.ok) throw new Error(String(answer.status))
    return (await answer.json()) as WakeWordStatus
  }

  #show(state: ListenerState): void {
    this.#options.onState?.(state)
  }
}
