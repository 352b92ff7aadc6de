import { Effect } from "effect"
import type { Component } from "#core/Health.ts"
import { MailServer } from "./MailServer.ts"

/** Whether domains can be made. */
export const components: Effect.Effect<Readonly<Record<string, Component>>, never, MailServer> = Effect.map(MailServer, ({ missing }) => ({
  mail_server: missing.length === 0 ? { status: "ok" } : { status: "unconfigured", detail: `${missing.join(", ")} unset: no mail domain can be made` }
}))
