/**
 * The softphone as the pages see it: whether it can be called, and the one call there is. What speaks SIP is loaded
 * when somebody turns it on. One tab of a browser has it at a time. The password stays in memory; on this machine stays
 * only whose phone was on.
 */
import { computed, effect, signal, untracked } from "@preact/signals"
import { ring } from "../call/Ring.ts"
import { call as ask } from "../lib/Call.ts"
import { me } from "../lib/Me.ts"
import { Problem } from "../lib/Problem.ts"
import type * as CallBar from "./CallBar.tsx"
import { type Call, type CallEvent, isFree, isTalking, step } from "./CallState.ts"
import type { Line } from "./Line.ts"
import { next, pauseAfter, type Registration, type RegistrationEvent } from "./Registration.ts"
import * as Remembered from "./Remembered.ts"
import { takeTurn } from "./Turn.ts"

export const registration = signal<Registration>({ _tag: "Off" })
export const call = signal<Call | undefined>(undefined)

/** The extension that is on, or was last. */
export const extension = signal<number | undefined>(undefined)

/** How a call is shown; there before there can be one. */
export const bar = signal<typeof CallBar | undefined>(undefined)

/** How long the end of a call stays in sight. Unit: milliseconds. */
const endShown = 6_000

/** What a caller hears while the other side rings. Of full. Reason: at an ear. */
const ringback = 0.05

/** Unit: seconds. Reason: longer than anything lets a call ring. */
const ringbackFor = 600

let line: Line | undefined
/** Counts up when it is turned on or off: what began before is nobody's business any more. */
let turn = 0
let giveBack = (): void => undefined
let again: ReturnType<typeof setTimeout> | undefined
let clearing: ReturnType<typeof setTimeout> | undefined

/** Turns it on, with that extension of the person's own. */
export const turnOn = async (id: number): Promise<void> => {
  await stop()
  const own = ++turn
  extension.value = id
  if (me.peek() !== undefined) Remembered.keep({ user: me.peek()!.id, extension: id })
  told({ _tag: "On" }, own)
  giveBack = takeTurn({
    taken: () => told({ _tag: "Elsewhere" }, own),
    ours: () => {
      told({ _tag: "On" }, own)
      void connect(own)
    }
  })
}

/** Turns it off, for good until somebody turns it on. */
export const turnOff = async (): Promise<void> => {
  Remembered.forget()
  await stop()
}

const stop = async (): Promise<void> => {
  const own = ++turn
  clearTimeout(again)
  const [old, back] = [line, giveBack]
  line = undefined
  giveBack = () => undefined
  told({ _tag: "Off" }, own)
  // Nothing is told of a call any more whose line is closed.
  if (old !== undefined) call.value = undefined
  await old?.close()
  // Whoever is next registers when this one has signed off.
  back()
}

const told = (event: RegistrationEvent, own: number): void => {
  if (own !== turn) return
  const state = (registration.value = next(registration.peek(), event))
  clearTimeout(again)
  // Settings are asked for anew; a call that is on keeps its line.
  if (event._tag === "Refused" && isFree(call.peek())) {
    void line?.close()
    line = undefined
  }
  if (state._tag === "Connecting" && state.tries > 0)
    again = setTimeout(() => void connect(own), pauseAfter(state.tries, Math.random()))
}

const connect = async (own: number): Promise<void> => {
  clearTimeout(again)
  try {
    line ??= await open(own)
    if (own === turn) await line?.connect()
  } catch (error) {
    const denied = error instanceof Problem && (error.status === 403 || error.status === 404)
    told(denied ? { _tag: "Denied", why: "not-yours" } : { _tag: "Cut" }, own)
  }
}

const open = async (own: number): Promise<Line | undefined> => {
  const settings = await ask("GET /api/v1/sip/extensions/mine/:id/config", { params: { id: String(extension.peek()) } })
  if (own !== turn) return undefined
  if (!settings.enabled) {
    told({ _tag: "Denied", why: "disabled" }, own)
    return undefined
  }
  const [{ Line }, shown] = await Promise.all([import("./Line.ts"), import("./CallBar.tsx")])
  bar.value = shown
  if (own !== turn) return undefined
  return new Line(settings, {
    registered: () => told({ _tag: "Registered" }, own),
    cut: () => told({ _tag: "Cut" }, own),
    refused: () => told({ _tag: "Refused" }, own),
    call: (event) => own === turn && happened(event)
  })
}

const happened = (event: CallEvent): void => {
  const after = (call.value = step(call.peek(), event))
  if (after?.phase !== "ended") return clearTimeout(clearing)
  clearTimeout(clearing)
  clearing = setTimeout(() => happened({ _tag: "Cleared", id: after.id }), endShown)
}

/** Calls somebody. False: there is a call, or no line. */
export const dial = (number: string, name?: string): boolean => {
  if (registration.peek()._tag !== "Registered" || !isFree(call.peek())) return false
  const id = line?.dial(number)
  if (id === undefined) return false
  happened({ _tag: "Dialled", id, number, name })
  return true
}

const quietly = (work: Promise<unknown> | undefined): void => void work?.catch(() => undefined)

export const answer = (): void => quietly(line?.call?.answer())
/** Ends the call; one that rings is turned down. */
export const hangUp = (): void => quietly(line?.call?.end())
export const mute = (on: boolean): void => line?.call?.mute(on)
export const hold = (on: boolean): void => quietly(line?.call?.hold(on))
export const press = (key: string): void => quietly(line?.call?.press(key))
export const changeMicrophone = (): void => quietly(line?.call?.changeMicrophone())
/** Rings on for the caller, and not in this room. */
export const silence = (): void => {
  const ringing = call.peek()
  if (ringing !== undefined) happened({ _tag: "Quiet", id: ringing.id })
}

// What the caller hears while the other side rings: made here, unless the other side makes it.
const alerting = computed(() => call.value?.phase === "alerting" && !call.value.early)
effect(() => (alerting.value ? untracked(() => ring({ volume: ringback, seconds: ringbackFor })) : undefined))

// Whose phone was on in this browser has it on again; it leaves with them.
const person = computed(() => me.value?.id)
effect(() => {
  const user = person.value
  untracked(() => {
    if (user === undefined) return void stop()
    const kept = Remembered.kept()
    if (kept?.user === user) void turnOn(kept.extension)
  })
})

addEventListener("online", () => {
  if (registration.peek()._tag === "Connecting") void connect(turn)
})
addEventListener("pagehide", () => void line?.leave())
// A page that comes back from where it was kept has signed off.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && registration.peek()._tag !== "Off" && extension.peek() !== undefined) void turnOn(extension.peek()!)
})
addEventListener("beforeunload", (event) => {
  if (isTalking(call.peek())) event.preventDefault()
})
