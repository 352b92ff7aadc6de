/** The comm endpoints of a running comm-dispatcher, for their tests. */
import { Context, Effect, Layer } from "effect"
import { type Dispatcher, startDispatcher } from "../Dispatcher.ts"

export const heartbeatChat = "4242"

/** A comm-dispatcher with a heartbeat chat, shared by the tests of a file. */
export class Started extends Context.Service<Started, Dispatcher>()("test/Started") {
  static readonly layer = Layer.effect(
    Started,
    startDispatcher({ env: { SIGNALBOX_HEARTBEAT_CHAT_ID: heartbeatChat } })
  )
}

/** Path of the comm endpoints. */
export const base = "/api/v1/comm"
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Headers of a user who may manage workflows. */
export const manager = (tenant: number) => ({ authorization: `Bearer user:${tenant}:workflows.manage` })

/** Posts to a comm endpoint as a service token of the platform. */
export const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  Effect.flatMap(Started, ({ suite, token }) => suite.call("POST", `${base}/${path}`, { token, body, headers }))
