/** Calls that ring now, oldest first. A call is removed when it was answered, ended or dismissed, and after 30 s. */
import { effect, signal } from "@preact/signals"
import { state } from "../lib/Session.ts"
import { on } from "../lib/Socket.ts"
import { longest } from "./Ring.ts"

export interface Customer {
  readonly name: string
  readonly number: string
  readonly locale: string
}

export interface IncomingCall {
  readonly call_id: string
  readonly caller_id: string
  readonly did_number: string
  /** Null for an unknown caller. */
  readonly customer: Customer | null
  /** Other customers with the same number. */
  readonly more_customers?: ReadonlyArray<Customer>
  /** ISO 8601. */
  readonly at: string
}

/**
 * Age from which a call no longer rings, for example after the browser was offline. Unit: milliseconds. Reason:
 * differences between computer clocks are smaller.
 */
const stale = 120_000

export const calls = signal<ReadonlyArray<IncomingCall>>([])

const timers = new Map<string, ReturnType<typeof setTimeout>>()

/** Tells other tabs that a call was dismissed. */
const tabs = new BroadcastChannel("signalbox.calls")

const drop = (id: unknown): void => {
  if (typeof id !== "string") return
  clearTimeout(timers.get(id))
  timers.delete(id)
  calls.value = calls.value.filter(({ call_id }) => call_id !== id)
}

export const dismiss = (id: string): void => {
  drop(id)
  tabs.postMessage(id)
}

/** Follows the events of calls while the page is open; called once. */
export const listen = (): void => {
  tabs.onmessage = ({ data }) => drop(data)
  on("call.incoming", ({ data }) => {
    const call = data as unknown as IncomingCall
    if (timers.has(call.call_id) || Date.now() - Date.parse(call.at) > stale) return
    timers.set(
      call.call_id,
      setTimeout(() => drop(call.call_id), longest * 1000)
    )
    calls.value = [...calls.value, call]
  })
  on("call.answered", ({ data }) => drop(data["call_id"]))
  on("call.ended", ({ data }) => drop(data["call_id"]))
  effect(() => {
    if (state.value === "out") for (const id of timers.keys()) drop(id)
  })
}
