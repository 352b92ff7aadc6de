import { Effect } from "effect"
import type { Component } from "#core/daemon/Health.ts"
import { DkimFiles } from "./dkim-files/DkimFiles.ts"
import { PolicyState } from "./bans/PolicyService.ts"
import { MailServer } from "./MailServer.ts"
import { SessionCuts } from "./sessions/SessionCuts.ts"

/** Whether domains can be made, and whether the signer has their keys. */
export const components: Effect.Effect<
  Readonly<Record<string, Component>>,
  never,
  DkimFiles | MailServer | PolicyState | SessionCuts
> = Effect.gen(function* () {
  const { missing } = yield* MailServer
  const policy = yield* PolicyState
  const { configured } = yield* SessionCuts
  return {
    policy_service: {
      status: policy.state === "listening" ? "ok" : "degraded",
      ...(policy.state === "listening"
        ? {}
        : {
            detail: policy.state === "taken" ? `port ${policy.port} is held by another process` : "not listening yet"
          }),
      host: policy.host,
      port: policy.port
    },
    session_cuts: configured
      ? { status: "ok" }
      : { status: "unconfigured", detail: "SIGNALBOX_DOVEADM_URL unset: sessions of a suspended mailbox stay open" },
    mail_server:
      missing.length === 0
        ? { status: "ok" }
        : { status: "unconfigured", detail: `${missing.join(", ")} unset: no mail domain can be made` },
    dkim_files: yield* Effect.flatMap(DkimFiles, ({ component }) => component)
  }
})
