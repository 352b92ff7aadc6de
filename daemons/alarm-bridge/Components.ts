import { Effect } from "effect"
import type { Component } from "#core/daemon/Health.ts"
import { SecondPath } from "#core/second-path/SecondPath.ts"
import { BridgeState } from "./BridgeState.ts"
import { Mailboxes } from "./Mailboxes.ts"

/** What `/health` shows beside the actors. A port that another process holds is no fault: fail-over looks like that. */
export const components: Effect.Effect<
  Readonly<Record<string, Component>>,
  never,
  BridgeState | Mailboxes | SecondPath
> = Effect.gen(function* () {
  const { mailboxes: states, smtp } = yield* BridgeState
  const mailboxes = yield* Mailboxes
  const second_path = yield* Effect.flatMap(SecondPath, ({ component }) => component)
  const failing = mailboxes.filter(({ name }) => states.get(name)?.error !== undefined)
  return {
    second_path,
    smtp:
      smtp.state === "off"
        ? { status: "unconfigured" }
        : smtp.state === "starting"
          ? { status: "degraded", detail: "not listening yet" }
          : { status: "ok", detail: smtp.state, host: smtp.host, port: smtp.port ?? null },
    mailboxes:
      mailboxes.length === 0
        ? { status: "unconfigured" }
        : failing.length === 0
          ? { status: "ok" }
          : { status: "degraded", detail: failing.map(({ name }) => states.get(name)?.error).join("; ") }
  }
})
