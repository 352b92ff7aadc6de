/**
 * Applications on an answered call: the steps of an inline dialplan, one after the other, and key presses. Events,
 * their order and their fields follow captures; README.md lists what is only derived from the source code.
 */
import type { Application } from "./Originate.ts"
import type { Timeline } from "./Timeline.ts"
import type { Audio } from "./WaveLength.ts"

/** The call on which the applications run. */
export interface Stage {
  readonly timeline: Timeline
  readonly audio: (path: string) => Audio | undefined
  readonly emit: (name: string, extra?: Readonly<Record<string, string>>) => void
  /** Channel variables that change during the call. */
  readonly variables: Record<string, string>
  /** Channel variables from the originate command. */
  readonly given: Readonly<Record<string, string>>
  /** Ends the call from the switch's side. */
  readonly hangUp: (cause: string) => void
}

/**
 * Block size of the file read-ahead; `playback_ms` counts the blocks read. Unit: samples. From a capture (16,384 after
 * 0.76 s).
 */
const readAhead = 16_384

/**
 * `channelRate`: sample rate that `playback_last_offset_pos` counts, per second. `frame`: length of an audio frame in
 * milliseconds.
 */
export const channelRate = 8_000
export const frame = 20

interface Running {
  readonly app: Application
  readonly id: string
  readonly cancel: () => void
  readonly playing?: { readonly since: number; readonly path: string; readonly audio: Audio }
}

export class Applications {
  /** Total audio played, without pauses. Unit: milliseconds. */
  heardMs = 0
  /** Files played to the end. */
  readonly heard: Array<string> = []
  readonly #stage: Stage
  readonly #apps: Array<Application>
  #running: Running | undefined
  #queued: Array<string> = []

  constructor(applications: ReadonlyArray<Application>, stage: Stage) {
    this.#apps = [...applications]
    this.#stage = stage
  }

  cancel(): void {
    this.#running?.cancel()
  }

  /**
   * Handles a key press of the callee. `playback` and `park` read keys; `sleep` queues them for the next application.
   */
  press(digit: string): void {
    const app = this.#running?.app.name
    if (app === "sleep" && this.#stage.given["sleep_eat_digits"] !== "true") this.#queued.push(digit)
    else if (app !== undefined) this.#key(digit)
    else this.#queued.push(digit)
  }

  /** Starts the next application, or ends the call. */
  next(): void {
    const app = this.#apps.shift()
    if (app === undefined) return this.#stage.hangUp("NORMAL_CLEARING")
    const id = crypto.randomUUID()
    this.#stage.variables["current_application"] = app.name
    switch (app.name) {
      case "sleep":
        this.#execute(app, id)
        this.#running = {
          app,
          id,
          cancel: this.#stage.timeline.after(Number(app.data) || 0, () => this.#complete("_none_"))
        }
        return
      case "playback":
        this.#execute(app, id)
        return this.#playback(app, id)
      case "park":
        this.#execute(app, id)
        this.#running = { app, id, cancel: () => undefined }
        this.#stage.emit("CHANNEL_PARK")
        return this.#keysThatWaited()
      case "answer":
      case "set":
        this.#execute(app, id)
        this.#running = { app, id, cancel: () => undefined }
        return this.#complete("_none_")
      case "hangup": {
        this.#execute(app, id)
        this.#running = { app, id, cancel: () => undefined }
        return this.#stage.hangUp(app.data === "" ? "NORMAL_CLEARING" : app.data)
      }
      default:
        // An unknown application ends the call.
        return this.#stage.hangUp("DESTINATION_OUT_OF_ORDER")
    }
  }

  #playback(app: Application, id: string): void {
    const audio = this.#stage.audio(app.data)
    if (audio === undefined) {
      this.#running = { app, id, cancel: () => undefined }
      return this.#complete("FILE NOT FOUND")
    }
    const cancel = this.#stage.timeline.after(audio.ms, () => {
      this.#stopPlaying("done")
      this.#complete("FILE PLAYED")
    })
    this.#running = { app, id, cancel, playing: { since: this.#stage.timeline.now, path: app.data, audio } }
    this.#stage.emit("PLAYBACK_START", { "Playback-File-Path": app.data })
    this.#keysThatWaited()
  }

  #keysThatWaited(): void {
    for (const digit of this.#queued.splice(0)) this.#key(digit)
  }

  #key(digit: string): void {
    this.#stage.emit("DTMF", { "DTMF-Digit": digit, "DTMF-Duration": "1440", "DTMF-Source": "RTP" })
    const terminators = this.#stage.given["playback_terminators"] ?? "*"
    const ends = terminators === "any" || (terminators !== "none" && terminators.includes(digit))
    if (this.#running?.playing === undefined || !ends) return
    this.#stage.variables["playback_terminator_used"] = digit
    this.#stopPlaying("break")
    this.#complete("FILE PLAYED")
  }

  /**
   * Ends a playback. `playback_ms` counts the blocks read from the file, which are ahead of the heard audio.
   * `playback_last_offset_pos` counts the heard audio.
   */
  #stopPlaying(status: "done" | "break"): void {
    const running = this.#running
    if (running?.playing === undefined) return
    running.cancel()
    const { audio, path, since } = running.playing
    const passed = this.#stage.timeline.now - since
    const heard = passed > audio.ms - 0.01 ? audio.ms : Math.floor(passed / frame) * frame
    const block = (readAhead * 1_000) / audio.rate
    const read = Math.min(audio.ms, (Math.floor(heard / block) + 1) * block)
    this.#stage.variables["playback_last_offset_pos"] = String(Math.round((heard * channelRate) / 1_000))
    this.#stage.variables["playback_seconds"] = String(Math.floor(read / 1_000))
    this.#stage.variables["playback_ms"] = String(Math.round(read))
    this.#stage.variables["playback_samples"] = String(Math.round((read * audio.rate) / 1_000))
    if (!path.startsWith("silence_stream://")) this.heardMs += heard
    if (heard >= audio.ms) this.heard.push(path)
    this.#running = { app: running.app, id: running.id, cancel: running.cancel }
    this.#stage.emit("PLAYBACK_STOP", { "Playback-File-Path": path, "Playback-Status": status })
  }

  #execute(app: Application, id: string): void {
    this.#stage.variables["current_application"] = app.name
    this.#stage.variables["current_application_data"] = app.data
    delete this.#stage.variables["current_application_response"]
    this.#stage.emit("CHANNEL_EXECUTE", { Application: app.name, "Application-Data": app.data, "Application-UUID": id })
  }

  /** Ends the running application without starting the next one. */
  executed(response: string): void {
    const running = this.#running
    if (running === undefined) return
    running.cancel()
    this.#running = undefined
    if (response !== "_none_") this.#stage.variables["current_application_response"] = response
    this.#stage.emit("CHANNEL_EXECUTE_COMPLETE", {
      Application: running.app.name,
      "Application-Data": running.app.data,
      "Application-Response": response,
      "Application-UUID": running.id
    })
  }

  #complete(response: string): void {
    this.executed(response)
    this.next()
  }

  /** Ends the running application because the call ended. */
  end(by: "callee" | "switch"): void {
    if (this.#running?.playing !== undefined) {
      this.#stopPlaying("done")
      return this.executed(by === "callee" ? "PLAYBACK ERROR" : "FILE PLAYED")
    }
    if (this.#running?.app.name === "park") this.#stage.emit("CHANNEL_UNPARK")
    this.executed("_none_")
  }
}
