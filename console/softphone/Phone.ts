/**
 * The softphone for the console's pages: its registration and its single call. The SIP code is loaded when the user
 * turns the phone on. Only one tab of a browser runs it at a time. The password stays in memory; the browser stores
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

/** The extension that is on, or was on last. */
export const extension = signal<number | undefined>(undefined)

/** Component that shows a call; loaded before a call is possible. */
export const bar = signal<typeof CallBar | undefined>(undefined)

/** How long an ended call stays visible. Unit: milliseconds. */
const endShown = 6_000

/** Volume of the ringback tone, from 0 to 1. Reason: it is heard in a headset. */
const ringback = 0.05

/** Longest ringback tone. Unit: seconds. Reason: longer than any call may ring. */
const ringbackFor = 600

let line: Line | undefined
/** Increases when the phone is turned on or off; results of earlier operations are then ignored. */
let turn = 0
let giveBack = (): void => undefined
let again: ReturnType<typeof setTimeout> | undefined
let clearing: ReturnType<typeof setTimeout> | undefined

/** Turns the phone on with one of the user's own extensions. */
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

/** Turns the phone off until the user turns it on again. */
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
  // A closed line reports no more events of its call.
  if (old !== undefined) call.value = undefined
  await old?.close()
  // The next tab registers after this one has unregistered.
  back()
}

const told = (event: RegistrationEvent, own: number): void => {
  if (own !== turn) return
  const state = (registration.value = next(registration.peek(), event))
  clearTimeout(again)
  // The next attempt loads the settings again. An active call keeps its line.
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

/** Calls a number. False: a call is active, or the phone is not registered. */
export const dial = (number: string, name?: string): boolean => {
  if (registration.peek()._tag !== "Registered" || !isFree(call.peek())) return false
  const id = line?.dial(number)
  if (id === undefined) return false
  happened({ _tag: "Dialled", id, number, name })
  return true
}

const quietly = (work: Promise<unknown> | undefined): void => void work?.catch(() => undefined)

export const answer = (): void => quietly(line?.call?.answer())
/** Ends the call, or rejects it while it rings. */
export const hangUp = (): void => quietly(line?.call?.end())
export const mute = (on: boolean): void => line?.call?.mute(on)
export const hold = (on: boolean): void => quietly(line?.call?.hold(on))
export const press = (key: string): void => quietly(line?.call?.press(key))
export const changeMicrophone = (): void => quietly(line?.call?.changeMicrophone())
/** Silences a ringing call here; it continues to ring for the caller. */
export const silence = (): void => {
  const ringing = call.peek()
  if (ringing !== undefined) happened({ _tag: "Quiet", id: ringing.id })
}

// Plays the ringback tone, unless the other side sends early media.
const alerting = computed(() => call.value?.phase === "alerting" && !call.value.early)
effect(() => (alerting.value ? untracked(() => ring({ volume: ringback, seconds: ringbackFor })) : undefined))

// Turns the phone on again for the user whose phone was on in this browser, and off when the user signs out.
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
// A page restored from the back/forward cache has unregistered.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && registration.peek()._tag !== "Off" && extension.peek() !== undefined) void turnOn(extension.peek()!)
})
addEventListener("beforeunload", (event) => {
  if (isTalking(call.peek())) event.preventDefault()
})
