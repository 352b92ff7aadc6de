import { Duration } from "effect"
import type { EventSocket, EventSocketOptions } from "./EventSocket.ts"

export const apiTimeout = Duration.seconds(3)
export const jobTimeout = Duration.seconds(90)
export const probeInterval = Duration.seconds(10)
export const probeTimeout = Duration.seconds(5)

export const make = (_options: EventSocketOptions): EventSocket["Service"] => {
  throw new Error("not yet")
}
